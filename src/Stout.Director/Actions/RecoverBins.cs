namespace Stout.Director.Actions;

/// <summary>Gives bins without a whole replica to a server, which loads them from durable storage.</summary>
/// <param name="Action">The id of the action.</param>
/// <param name="Bins">The bins.</param>
/// <param name="Server">The bins' new owner.</param>
public sealed record RecoverBins(long Action, IReadOnlyList<int> Bins, int Server) : ClusterCommand(Action);
