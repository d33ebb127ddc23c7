namespace Stout.Storage;

/// <summary>One key to read.</summary>
/// <param name="Key">The key.</param>
/// <param name="Claim">The stamp that the key gets if the store holds one of a smaller epoch.</param>
public readonly record struct KeyRead(PartitionKey Key, Stamp Claim)
{
    /// <summary>The options that bound one object; null: no bounds.</summary>
    internal StoutOptions? Bounds { get; init; }

    /// <summary>
    /// Ends the read of an object that is larger than the options allow, before all of it is in memory. A proxy that reads objects piece by
    /// piece calls it after each; the lane checks whole objects in any case.
    /// </summary>
    /// <param name="bytes">The bytes that have been read of the object so far.</param>
    /// <param name="parts">The parts that have been read so far.</param>
    /// <exception cref="ObjectTooLargeException">They are too many. <see cref="ReadOutcome.Of"/> makes it the key's outcome.</exception>
    public void CheckSize(long bytes, int parts)
    {
        if (Bounds is not null && ObjectTooLargeException.Of(Key, bytes, parts, Bounds) is { } tooLarge)
            throw tooLarge;
    }
}
