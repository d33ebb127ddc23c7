namespace Stout.Documents.Tests.Schedules.Replicas;

/// <summary>One call of one replica, and what the model knows of it.</summary>
internal sealed class ReplicaCall(int replica, string id, bool changes) : SharedStoreCall
{
    public int Replica => replica;

    public string Id => id;

    /// <summary>Whether the call is an update; else it gets the value.</summary>
    public bool Changes => changes;

    /// <summary>Whether the update's function throws.</summary>
    public bool Throws { get; init; }

    /// <summary>The lifetime, in true time, of the value that the function makes; null if it never expires.</summary>
    public TimeSpan? Lives { get; init; }

    /// <summary>The version that the store held when the call began.</summary>
    public ReplicaVersion Begun { get; set; } = null!;

    /// <summary>The least and the greatest time that the replica's clock has shown during the call.</summary>
    public (DateTimeOffset Least, DateTimeOffset Greatest) Wall { get; set; }

    /// <summary>The runs of the function.</summary>
    public List<ReplicaRun> Runs { get; } = [];

    /// <summary>The run whose value the store holds or has held.</summary>
    public ReplicaRun? Applied { get; set; }

    /// <summary>Whether the call was answered as not applied.</summary>
    public bool IsDenied { get; set; }

    public override string ToString() =>
        $"{(Changes ? "update" : "get")} of {Id} by replica {Replica} (runs {string.Join(", ", Runs.Select(run => $"{run.Number} on {run.Saw}"))})";
}

/// <summary>One run of an update's function: the value that it saw, and its result.</summary>
/// <param name="number">The value's name.</param>
/// <param name="call">The call.</param>
/// <param name="saw">The number of the value that the function saw; 0 for an absent object.</param>
/// <param name="ranAt">The time that the replica's clock showed: objects that have expired by then are absent for the function.</param>
/// <param name="expiresAt">When the value expires.</param>
internal sealed class ReplicaRun(int number, ReplicaCall call, int saw, DateTimeOffset ranAt, DateTimeOffset expiresAt)
{
    public int Number => number;

    public ReplicaCall Call => call;

    public int Saw => saw;

    public DateTimeOffset RanAt { get; } = ranAt;

    public DateTimeOffset ExpiresAt => expiresAt;

    /// <summary>
    /// The greatest time that the replica's clock has shown from the run to its commit. A value may expire in memory before it is durable, and the clock
    /// may be set back between.
    /// </summary>
    public DateTimeOffset Latest { get; set; } = ranAt;

    /// <summary>The index of the version with which the run was committed; -1 as long as it was not.</summary>
    public int CommittedAt { get; set; } = -1;

    /// <summary>
    /// Whether a commit may include the run without showing the run's value. This happens if the value expired in memory before it was durable: the commit
    /// then carries a newer value, made after the expiry.
    /// </summary>
    public bool MayBeCommitted { get; set; }
}

/// <summary>The store's value of a key between two commits.</summary>
/// <param name="Index">The number of commits before.</param>
/// <param name="Number">The value's number; 0 for an absent object.</param>
/// <param name="ExpiresAt">The time at which the value expires.</param>
/// <param name="Latest">The greatest time that each replica's clock has shown since the commit; for the replica that made the value, since the run.</param>
internal sealed record ReplicaVersion(int Index, int Number, DateTimeOffset ExpiresAt, DateTimeOffset[] Latest);
