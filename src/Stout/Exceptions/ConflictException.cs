namespace Stout;

/// <summary>Another client has written the key since it was filled. Fill again, then make the change on what is there.</summary>
public sealed class ConflictException : NotAppliedException
{
    /// <summary>Reports a key that another writer has changed.</summary>
    /// <param name="key">The key concerned.</param>
    public ConflictException(PartitionKey key)
        : base(key, NotAppliedReason.Conflict)
    {
    }
}
