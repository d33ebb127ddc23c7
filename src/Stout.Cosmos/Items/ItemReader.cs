using System.Text.Json;
using Stout.Storage;

namespace Stout.Cosmos.Items;

/// <summary>Reads items from JSON.</summary>
internal static class ItemReader
{
    /// <summary>Reads one item.</summary>
    /// <exception cref="StoreException">The item is damaged.</exception>
    public static StoredItem ReadOne(ReadOnlyMemory<byte> json)
    {
        try
        {
            var reader = new Utf8JsonReader(json.Span);
            reader.Read();
            return Read(ref reader);
        }
        catch (Exception error) when (IsDamage(error))
        {
            throw Damaged(error);
        }
    }

    /// <summary>Reads the items of one page of a query. A damaged item is returned with its id only, since the caller may not need that item.</summary>
    /// <exception cref="StoreException">The page is damaged.</exception>
    public static void ReadPage(ReadOnlyMemory<byte> json, List<StoredItem> items)
    {
        try
        {
            var reader = new Utf8JsonReader(json.Span);
            while (reader.Read())
            {
                if (reader.TokenType != JsonTokenType.PropertyName)
                    continue;
                var isItems = reader.ValueTextEquals("Documents"u8);
                reader.Read();
                if (!isItems)
                {
                    reader.Skip();
                    continue;
                }

                while (reader.Read() && reader.TokenType == JsonTokenType.StartObject)
                    items.Add(ReadTolerantly(ref reader));
            }
        }
        catch (Exception error) when (IsDamage(error))
        {
            throw Damaged(error);
        }
    }

    private static StoredItem ReadTolerantly(ref Utf8JsonReader reader)
    {
        var item = reader;
        var again = reader;
        reader.Skip();
        try
        {
            return Read(ref item);
        }
        catch (Exception error) when (IsDamage(error))
        {
            return new StoredItem { Id = ReadId(ref again), ETag = "", IsDamaged = true };
        }
    }

    private static string ReadId(ref Utf8JsonReader reader)
    {
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (Next(ref reader, ItemNames.Id))
                return reader.GetString() ?? throw new FormatException("no id");
            reader.Skip();
        }

        throw new FormatException("no id");
    }

    private static StoredItem Read(ref Utf8JsonReader reader)
    {
        string? id = null, etag = null;
        Stamp stamp = default, generation = default;
        var owner = KeyOwner.None;
        var epoch = 0L;
        var root = RootPlace.None;
        bool hasRows = false, isDeleted = false;
        byte[]? value = null, longKey = null;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (Next(ref reader, ItemNames.Id))
                id = reader.GetString();
            else if (Next(ref reader, ItemNames.ETag))
                etag = reader.GetString();
            else if (Next(ref reader, ItemNames.Stamp))
                stamp = ParseStamp(reader.GetString());
            else if (Next(ref reader, ItemNames.Owner))
                owner = ParseOwner(reader.GetString());
            else if (Next(ref reader, ItemNames.Epoch))
                epoch = reader.GetInt64() is >= 0 and var number ? number : throw new FormatException("not an epoch");
            else if (Next(ref reader, ItemNames.Generation))
                generation = ParseStamp(reader.GetString());
            else if (Next(ref reader, ItemNames.Root))
                root = RootOf(reader.GetInt32());
            else if (Next(ref reader, ItemNames.HasRows))
                hasRows = reader.GetBoolean();
            else if (Next(ref reader, ItemNames.IsDeleted))
                isDeleted = reader.GetBoolean() ? true : throw new FormatException("a mark of deletion is false");
            else if (Next(ref reader, ItemNames.Value))
                value = reader.GetBytesFromBase64();
            else if (Next(ref reader, ItemNames.LongKey))
                longKey = reader.GetBytesFromBase64();
            else
                reader.Skip();
        }

        return new StoredItem
        {
            Id = id ?? throw new FormatException("no id"),
            ETag = etag ?? "",
            Version = stamp,
            Owner = owner,
            Epoch = epoch,
            Generation = generation,
            Root = root,
            HasRows = hasRows,
            IsDeleted = isDeleted,
            Value = value,
            LongKey = longKey,
        };
    }

    private static RootPlace RootOf(int number) => number is >= 0 and <= (int)RootPlace.Row
        ? (RootPlace)number
        : throw new FormatException("not a place of the object's own bytes");

    // Moves to the value if the property has this name.
    private static bool Next(ref Utf8JsonReader reader, ReadOnlySpan<byte> name) =>
        reader.TokenType == JsonTokenType.PropertyName && reader.ValueTextEquals(name) && reader.Read();

    private static Stamp ParseStamp(string? text) =>
        Stamp.TryParseHex(text, out var stamp) ? stamp : throw new FormatException("not a stamp");

    private static KeyOwner ParseOwner(string? text) =>
        KeyOwner.TryParseHex(text, out var owner) && owner != KeyOwner.None ? owner : throw new FormatException("not an owner");

    private static bool IsDamage(Exception error) =>
        error is JsonException or FormatException or InvalidOperationException;

    // Without the inner message: a JSON error quotes its input.
    private static StoreException Damaged(Exception error) => new(StoreErrorKind.Corrupt, $"An item is damaged ({error.GetType().Name}).");
}
