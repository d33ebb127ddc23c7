namespace Stout.Director.Layouts;

/// <summary>A copy that the cluster is making.</summary>
/// <param name="Action">The id of the action to which the copy belongs.</param>
/// <param name="From">The source.</param>
/// <param name="To">The target, which the copy slows (the paper's §2.3).</param>
/// <param name="Bins">The bins that are not whole at the target yet.</param>
public sealed record RunningCopy(long Action, int From, int To, IReadOnlyList<int> Bins);
