namespace Stout.Lanes;

/// <summary>One part of a change whose bytes come with it, or the part's removal.</summary>
internal abstract class PushedPart(SubKey name)
{
    public SubKey Name { get; } = name;

    /// <summary>Whether the change removes the part.</summary>
    public bool IsRemoval { get; init; }

    /// <summary>What a batch writes. Stays the same at least until the part is durable or its key has failed.</summary>
    public ReadOnlyMemory<byte> Bytes { get; protected set; }

    /// <summary>The next part of the same change.</summary>
    public PushedPart? NextOfChange { get; set; }
}
