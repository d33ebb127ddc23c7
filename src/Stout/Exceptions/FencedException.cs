namespace Stout;

/// <summary>This server no longer owns the key: an owner of a larger epoch has claimed it. Send the request to that owner.</summary>
public sealed class FencedException : NotAppliedException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="key">The key concerned.</param>
    public FencedException(PartitionKey key)
        : base(key, NotAppliedReason.Fenced)
    {
    }
}
