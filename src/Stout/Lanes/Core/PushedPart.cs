using System.Diagnostics;

namespace Stout.Lanes.Core;

/// <summary>One changed part with its bytes, or a removed part.</summary>
[DebuggerDisplay("{Name}, {Bytes.Length} bytes, removal: {IsRemoval}")]
internal abstract class PushedPart(SubKey name)
{
    public SubKey Name { get; } = name;

    /// <summary>Whether the change removes the part.</summary>
    public bool IsRemoval { get; set; }

    /// <summary>The part's bytes. They must not change until the part is durable or its key has failed.</summary>
    public ReadOnlyMemory<byte> Bytes { get; protected set; }

    /// <summary>The part for another batch, after a batch that is certainly not in the store.</summary>
    public virtual PushedPart Again => this;

    /// <summary>The next part of the same change.</summary>
    public PushedPart? NextOfChange { get; set; }
}
