using System.Buffers;
using System.Runtime.InteropServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using Stout.Storage;

namespace Stout.Cosmos.Items;

/// <summary>Writes items of one store partition as JSON, with bytes in base64.</summary>
/// <remarks>The memory is not pooled, since an abandoned request may still be sending it.</remarks>
internal sealed class ItemWriter(string partitionKey) : IDisposable
{
    // Base64 needs no escapes in JSON, although the default encoder escapes "+".
    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true };

    private readonly Utf8JsonWriter _json = new(Stream.Null, Options);

    public MemoryStream Header(
        string id, PartitionKey key, in KeyHeader header, in Stamp generation, RootPlace root, bool hasRows, ReadOnlySpan<byte> inline)
    {
        var buffer = BeginHeader(id, key, header, generation, inline.Length);
        _json.WriteNumber(ItemNames.Root, (int)root);
        if (hasRows)
            _json.WriteBoolean(ItemNames.HasRows, true);
        if (root == RootPlace.Inline)
            _json.WriteBase64String(ItemNames.Value, inline);
        return End(buffer);
    }

    /// <summary>
    /// The header of a deleted object, or of a key that was claimed and never written, which has neither version nor generation. The service removes such a
    /// header after the retention, counted from the header's last change.
    /// </summary>
    public MemoryStream EmptyHeader(string id, PartitionKey key, in KeyHeader header, in Stamp generation, TimeSpan retention)
    {
        var buffer = BeginHeader(id, key, header, generation, 0);
        _json.WriteBoolean(ItemNames.IsDeleted, true);
        _json.WriteNumber(ItemNames.TimeToLive, (long)Math.Ceiling(retention.TotalSeconds));
        return End(buffer);
    }

    /// <summary>The item with the epoch floor.</summary>
    public MemoryStream Floor(long epoch)
    {
        var buffer = Begin(ItemIds.Floor, 0);
        _json.WriteNumber(ItemNames.Epoch, epoch);
        return End(buffer);
    }

    public MemoryStream Part(string id, ReadOnlySpan<byte> value)
    {
        var buffer = Begin(id, value.Length);
        _json.WriteBase64String(ItemNames.Value, value);
        return End(buffer);
    }

    /// <summary>
    /// A removed part. Deleting a missing item would fail the transaction, and the part may be missing. So the item is overwritten with a short time
    /// to live, and the service removes it.
    /// </summary>
    public MemoryStream RemovedPart(string id)
    {
        var buffer = Begin(id, 0);
        _json.WriteBoolean(ItemNames.IsDeleted, true);
        _json.WriteNumber(ItemNames.TimeToLive, 1);
        return End(buffer);
    }

    /// <summary>A note that the key may have items of dead generations.</summary>
    public MemoryStream Garbage(string id) => End(Begin(id, 0));

    public void Dispose() => _json.Dispose();

    private ArrayBufferWriter<byte> BeginHeader(string id, PartitionKey key, in KeyHeader header, in Stamp generation, int valueBytes)
    {
        var longKey = LongKeys.StoredOf(key);
        var buffer = Begin(id, valueBytes + (longKey?.Length ?? 0) + 210);
        if (longKey is not null)
            _json.WriteBase64String(ItemNames.LongKey, longKey);
        if (!header.Version.IsAbsent)
            _json.WriteString(ItemNames.Stamp, header.Version.ToHex());
        if (!generation.IsAbsent)
            _json.WriteString(ItemNames.Generation, generation.ToHex());
        if (header.Owner != KeyOwner.None)
            _json.WriteString(ItemNames.Owner, header.Owner.ToHex());
        return buffer;
    }

    private ArrayBufferWriter<byte> Begin(string id, int valueBytes)
    {
        var buffer = new ArrayBufferWriter<byte>((valueBytes * 4 / 3) + id.Length + 64);
        _json.Reset(buffer);
        _json.WriteStartObject();
        _json.WriteString(ItemNames.Id, id);
        _json.WriteString(ItemNames.PartitionKey, partitionKey);
        return buffer;
    }

    private MemoryStream End(ArrayBufferWriter<byte> buffer)
    {
        _json.WriteEndObject();
        _json.Flush();
        _ = MemoryMarshal.TryGetArray(buffer.WrittenMemory, out var written);
        return new MemoryStream(written.Array!, written.Offset, written.Count, writable: false, publiclyVisible: true);
    }
}
