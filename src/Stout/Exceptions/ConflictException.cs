namespace Stout;

/// <summary>Another client has written the key since it was filled. Fill it again, then repeat the change on the stored state.</summary>
public sealed class ConflictException : NotAppliedException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="key">The key concerned.</param>
    public ConflictException(PartitionKey key)
        : base(key, NotAppliedReason.Conflict)
    {
    }
}
