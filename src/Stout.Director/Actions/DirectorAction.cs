using Stout.Director.Decisions;

namespace Stout.Director.Actions;

/// <summary>One planned action with its reason.</summary>
/// <param name="Id">Unique over all Directors of the cluster: the epoch × 2^24, plus a sequence number. The cluster recognizes repeated commands by it.</param>
/// <param name="Kind">The kind.</param>
/// <param name="Bins">The bins; empty for leases and releases.</param>
/// <param name="From">The server from which bins are copied, moved or removed, or which is released; -1 otherwise.</param>
/// <param name="To">The server that receives bins; -1 otherwise.</param>
/// <param name="Type">The server type that is leased; empty otherwise.</param>
/// <param name="Reason">The reason.</param>
public sealed record DirectorAction(long Id, ActionKind Kind, IReadOnlyList<int> Bins, int From, int To, string Type, Reason Reason)
{
    /// <summary>The action in words.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => Kind switch
    {
        ActionKind.Move => $"move {Words()} from server {From} to server {To}",
        ActionKind.Replicate => $"copy {Words()} from server {From} to server {To} as a further replica",
        ActionKind.Remove => $"remove the replica of {Words()} from server {From}",
        ActionKind.Recover => $"recover {Words()} at server {To}",
        ActionKind.Lease => $"lease a server of type {Type}",
        _ => $"release server {From}",
    };

    private string Words() => Bins.Count == 1 ? $"bin {Bins[0]}" : Bins.Count <= 5 ? "bins " + string.Join(", ", Bins) : $"{Bins.Count} bins ({string.Join(", ", Bins.Take(3))}, …)";
}
