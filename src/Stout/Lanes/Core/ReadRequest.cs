using System.Diagnostics;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>One read request to the store, for fills or for owner checks.</summary>
[DebuggerDisplay("{Batch.Count} keys, over: {IsOver}")]
internal sealed class ReadRequest : StoreCall
{
    public List<KeyFill> Fills { get; } = [];

    public List<OwnerCheck> Checks { get; } = [];

    public ReadBatch Batch { get; } = new();

    /// <summary>The shell's handle of the call under way.</summary>
    public object? Call { get; set; }
}
