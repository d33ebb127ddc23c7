namespace Stout.Documents;

/// <summary>Decides by this process's clock whether objects have expired.</summary>
internal sealed class Expiry<T>(PartCodec<T> codec, TimeProvider time)
    where T : class
{
    /// <summary>Whether an object has expired.</summary>
    /// <param name="document">The object.</param>
    /// <param name="own">The object's own value; null if it is missing.</param>
    public bool HasExpired(Document document, Part? own) => own is not null && HasExpired(document, own, time.GetUtcNow());

    /// <summary>Whether an object has expired at a given time.</summary>
    public bool HasExpired(Document document, Part? own, DateTimeOffset at) => own is not null && codec.ExpiryOf(document, own) <= at.UtcTicks;
}
