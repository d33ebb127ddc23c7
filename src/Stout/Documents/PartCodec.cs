namespace Stout.Documents;

/// <summary>
/// A collection's serializer, and the function that tells when its objects expire. Errors of the serializer become <see cref="PartSerializationException"/>.
/// </summary>
internal sealed class PartCodec<T>(IPartSerializer<T> serializer, RoundTrip<T>? roundTrip, Func<T, DateTimeOffset?>? expiresAt)
    where T : class
{
    public IPartSerializer<T> Serializer => serializer;

    /// <summary>Returns the value of a part of the document.</summary>
    public T Read(Document document, Part part)
    {
        var (value, bytes) = document.Read(part);
        if (value is not null)
            return (T)value;
        try
        {
            value = serializer.Deserialize(bytes) ?? throw new InvalidOperationException("The serializer has returned null.");
        }
        catch (Exception error)
        {
            throw new PartSerializationException(document.Key, part.Name, isStored: true, error);
        }

        if (serializer.ValuesAreImmutable)
            document.Keep(part, value);
        return (T)value;
    }

    /// <summary>Whether a new version of a part has the same bytes as the present one, so that no write is needed.</summary>
    public bool IsUnchanged(Document document, Part held, Part made)
    {
        if (!document.MayEqual(held, made))
            return false;
        var (value, bytes) = document.Read(held);
        if (bytes.Length == held.Size)
            return true;
        try
        {
            // A durable part keeps only its value and a hash of its bytes. Equal hashes are confirmed by serializing the value again.
            return serializer.Serialize((T)value!).Span.SequenceEqual(made.Bytes.Span);
        }
        catch (Exception)
        {
            return false;
        }
    }

    /// <summary>Creates a new version of a part from a value.</summary>
    public Part Make(Document document, SubKey name, T value)
    {
        var part = new Part(name);
        try
        {
            part.SetBytes(serializer.Serialize(value));
            roundTrip?.Check(value, part.Bytes);
            if (expiresAt is not null && name.IsRoot)
                part.ExpiresAt = TicksOf(value);
        }
        catch (Exception error)
        {
            throw new PartSerializationException(document.Key, name, isStored: false, error);
        }

        if (serializer.ValuesAreImmutable)
            part.Value = value;
        return part;
    }

    /// <summary>Returns an object's expiry in UTC ticks; <see cref="Part.Never"/> if its own value can't be read.</summary>
    public long ExpiryOf(Document document, Part own)
    {
        if (own.ExpiresAt != 0)
            return own.ExpiresAt;
        try
        {
            return own.ExpiresAt = TicksOf(Read(document, own));
        }
        catch (Exception)
        {
            return Part.Never;
        }
    }

    /// <summary>Returns an object's expiry in UTC ticks, from the stored bytes of its own value; <see cref="Part.Never"/> if they can't be read.</summary>
    public long ExpiryOf(ReadOnlyMemory<byte> stored)
    {
        try
        {
            return TicksOf(serializer.Deserialize(stored)!);
        }
        catch (Exception)
        {
            return Part.Never;
        }
    }

    // At least 1, since 0 in Part.ExpiresAt stands for an expiry that has not been computed yet.
    private long TicksOf(T value) => expiresAt!(value) is { } time ? Math.Max(time.UtcTicks, 1) : Part.Never;
}
