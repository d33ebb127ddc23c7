namespace Stout.Director.Actions;

/// <summary>One step of an action. A cluster carries it out at most once for its action and kind, and refuses it under an older epoch.</summary>
/// <param name="Action">The action that it belongs to.</param>
public abstract record ClusterCommand(long Action);

/// <summary>Begins a copy of bins. The target is a replica of a bin once that bin is whole there.</summary>
/// <param name="Action">The action.</param>
/// <param name="Bins">The bins, copied one after another.</param>
/// <param name="From">The source.</param>
/// <param name="To">The target.</param>
/// <param name="Rate">The rate asked for, in bytes per second.</param>
public sealed record CopyBins(long Action, IReadOnlyList<int> Bins, int From, int To, double Rate) : ClusterCommand(Action);

/// <summary>Ends a copy; its unfinished bins are dropped at the target.</summary>
/// <param name="Action">The action.</param>
public sealed record CancelCopy(long Action) : ClusterCommand(Action);

/// <summary>Drops replicas. The cluster refuses to drop a last one.</summary>
/// <param name="Action">The action.</param>
/// <param name="Bins">The bins.</param>
/// <param name="Server">The server that drops them.</param>
public sealed record DropReplicas(long Action, IReadOnlyList<int> Bins, int Server) : ClusterCommand(Action);

/// <summary>Gives bins without a whole replica to a server, which loads them from durable storage.</summary>
/// <param name="Action">The action.</param>
/// <param name="Bins">The bins.</param>
/// <param name="Server">Their new owner.</param>
public sealed record RecoverBins(long Action, IReadOnlyList<int> Bins, int Server) : ClusterCommand(Action);

/// <summary>Leases a server. The action's id is the request's: a repeated request leases no second server.</summary>
/// <param name="Action">The action.</param>
/// <param name="Type">The server type.</param>
public sealed record LeaseServer(long Action, string Type) : ClusterCommand(Action);

/// <summary>Gives a server back to the pool. The cluster refuses while the server holds a bin or receives one.</summary>
/// <param name="Action">The action.</param>
/// <param name="Server">The server.</param>
public sealed record ReleaseServer(long Action, int Server) : ClusterCommand(Action);
