namespace Stout;

/// <summary>
/// The key has another owner. Usually a later claim has replaced the caller's, or the caller has no claim and the store holds one. Send the request to that
/// owner, or claim the key anew.
/// </summary>
public sealed class FencedException : NotAppliedException
{
    /// <summary>Reports a key that another owner has claimed.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="storedEpoch">The epoch of the owner that the store holds; null if it is unknown.</param>
    public FencedException(PartitionKey key, long? storedEpoch = null)
        : base(key, NotAppliedReason.Fenced)
    {
        StoredEpoch = storedEpoch;
    }

    /// <summary>
    /// The epoch of the stored owner; 0 if the store has no owner, since the key's header was swept. Null if it is unknown, since another call of
    /// this process has claimed the key.
    /// </summary>
    public long? StoredEpoch { get; }
}
