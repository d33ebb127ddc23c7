namespace Stout.Storage;

/// <summary>One key to read.</summary>
/// <param name="Key">The key.</param>
/// <param name="Kind">The kind of read.</param>
/// <param name="Claim">The claim; null unless <paramref name="Kind"/> is <see cref="KeyReadKind.Claim"/>.</param>
public readonly record struct KeyRead(PartitionKey Key, KeyReadKind Kind = KeyReadKind.Peek, KeyClaim? Claim = null)
{
    /// <summary>Whether the reader wants the key's parts, and not its header alone.</summary>
    public bool ReadsParts => Kind switch
    {
        KeyReadKind.Peek => true,
        KeyReadKind.Claim => Claim!.ReadsParts,
        _ => false,
    };

    /// <summary>The options that bound one object; null: no bounds.</summary>
    internal StoutOptions? Bounds { get; init; }

    /// <summary>
    /// Ends the read of an object that exceeds the options' bounds, before all of it is in memory. A proxy that reads objects in pieces calls this method
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
