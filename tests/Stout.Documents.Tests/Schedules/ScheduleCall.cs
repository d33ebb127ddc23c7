namespace Stout.Documents.Tests.Schedules;

/// <summary>The kind of a call. The seed decides the kind before the call begins.</summary>
internal enum CallKind
{
    Get,
    Read,
    Change,
}

/// <summary>One call of the typed layer: the behavior of its function, the state that it saw, and its result.</summary>
internal sealed class ScheduleCall(string id, CallKind kind)
{
    public string Id => id;

    public CallKind Kind => kind;

    /// <summary>The parts that the function sets.</summary>
    public string[] Sets { get; init; } = [];

    /// <summary>The part that the function removes before it sets others; null to remove nothing.</summary>
    public string? Removes { get; init; }

    /// <summary>Whether the function deletes the whole object first.</summary>
    public bool Deletes { get; init; }

    /// <summary>Whether the function throws in the end.</summary>
    public bool Throws { get; init; }

    /// <summary>The stop at which the function waits for the schedule; null if it does not wait.</summary>
    public Stop? Holds { get; init; }

    public CancellationTokenSource Cancellation { get; } = new();

    public Task<string?> Task { get; set; } = null!;

    public bool IsConcluded { get; set; }

    /// <summary>How often the function has begun.</summary>
    public int Runs { get; set; }

    /// <summary>The state that the function saw when it ran last.</summary>
    public int Seen { get; set; }

    /// <summary>The state that the function made when it ran last; null if it changed nothing.</summary>
    public int? Made { get; set; }

    public override string ToString() => $"{kind} of {id} ({(Throws ? "throws, " : "")}saw {Seen}, made {Made})";
}

/// <summary>The exception of the schedule's functions.</summary>
internal sealed class ScheduleException() : Exception("refused");
