using System.Diagnostics.CodeAnalysis;
using System.Diagnostics;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>One read request to the store, for fills or for owner checks.</summary>
[SuppressMessage("Design", "CA1001", Justification = "Without a timer and a wait handle the source holds nothing to dispose.")]
[DebuggerDisplay("{Batch.Count} keys, over: {IsOver}")]
internal sealed class ReadRequest : StoreCall
{
    private readonly CancellationTokenSource _end = new();

    public List<KeyFill> Fills { get; } = [];

    public List<OwnerCheck> Checks { get; } = [];

    public ReadBatch Batch { get; } = new();

    /// <summary>Fires when the answer is no longer used, so that the store's proxy frees the read's memory.</summary>
    public CancellationToken Token => _end.Token;

    /// <summary>Ends the call. The proxy's callbacks run in the pool, since they may block.</summary>
    public void Cancel() => _ = _end.CancelAsync();
}
