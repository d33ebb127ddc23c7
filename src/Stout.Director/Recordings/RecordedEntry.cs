using System.Text.Json.Serialization;
using Stout.Director.Actions;
using Stout.Director.Layouts;

namespace Stout.Director.Recordings;

/// <summary>One line of a recording. A line leaves out layout, servers and sizes that have not changed since the last observation.</summary>
internal sealed record RecordedEntry
{
    public required EntryKind Kind { get; init; }

    public TimeSpan At { get; init; }

    public long Epoch { get; init; }

    public IReadOnlyList<DirectorAction>? Intents { get; init; }

    public RecordedLayout? Layout { get; init; }

    public IReadOnlyList<ServerState>? Servers { get; init; }

    public IReadOnlyList<RunningCopy>? Copies { get; init; }

    public IReadOnlyList<RecordedReport>? Reports { get; init; }

    public IReadOnlyList<long>? Bytes { get; init; }

    public IReadOnlyDictionary<int, ServerOrder>? Orders { get; init; }

    public double? SlowShare { get; init; }

    public IReadOnlyList<long>? Approved { get; init; }

    public long Action { get; init; }

    public bool IsLease { get; init; }

    public CommandOutcome Outcome { get; init; }

    /// <summary>In the last line of a whole recording: the number of entries before it.</summary>
    public long Count { get; init; }
}

/// <summary>The kinds of line.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<EntryKind>))]
internal enum EntryKind
{
    /// <summary>A Director began.</summary>
    Begin,

    /// <summary>The Director planned.</summary>
    Plan,

    /// <summary>The Director asked for due commands.</summary>
    Advance,

    /// <summary>Proposed actions were approved.</summary>
    Approve,

    /// <summary>A command was answered.</summary>
    Answer,

    /// <summary>The recording was ended properly.</summary>
    End,
}

/// <summary>The bins of a layout that have changed since the last recorded layout.</summary>
internal sealed record RecordedLayout(long Version, long Epoch, IReadOnlyList<int> Bins, IReadOnlyList<int[]> Replicas);

/// <summary>A server's report. Its visits are three numbers for each bin: bin, gets, puts.</summary>
internal sealed record RecordedReport(int Server, long Sequence, TimeSpan Age, double[] Visits);

/// <summary>The first line of a recording.</summary>
internal sealed record RecordedHeader(int Recording, DirectorSettings Settings, DateTimeOffset? StartedAt);
