namespace Stout.Storage;

/// <summary>One key to read.</summary>
/// <param name="Key">The key.</param>
/// <param name="Claim">The stamp that the read writes if the stored epoch is smaller.</param>
public readonly record struct KeyRead(PartitionKey Key, Stamp Claim)
{
    /// <summary>The options that bound one object; null for no bounds.</summary>
    internal StoutOptions? Bounds { get; init; }

    /// <summary>
    /// Ends the read of an object that exceeds the options' bounds, before all of it is in memory. A proxy that reads objects in pieces calls it
    /// after each piece. The lane checks whole objects in any case.
    /// </summary>
    /// <param name="bytes">The object's bytes read so far.</param>
    /// <param name="parts">The object's parts read so far.</param>
    /// <exception cref="ObjectTooLargeException">The object exceeds a bound. <see cref="ReadOutcome.Of"/> makes it the key's outcome.</exception>
    public void CheckSize(long bytes, int parts)
    {
        if (Bounds is not null && ObjectTooLargeException.Of(Key, bytes, parts, Bounds) is { } tooLarge)
            throw tooLarge;
    }
}
