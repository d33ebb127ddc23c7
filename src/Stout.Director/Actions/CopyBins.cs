namespace Stout.Director.Actions;

/// <summary>Begins a copy of bins. The target becomes a replica of a bin when all of the bin has been copied.</summary>
/// <param name="Action">The id of the action.</param>
/// <param name="Bins">The bins, copied one after another.</param>
/// <param name="From">The source.</param>
/// <param name="To">The target.</param>
/// <param name="Rate">The rate asked for, in bytes per second.</param>
public sealed record CopyBins(long Action, IReadOnlyList<int> Bins, int From, int To, double Rate) : ClusterCommand(Action);
