using Stout.Pacing;
using Stout.Storage;

namespace Stout;

/// <summary>Counts since the client was opened, and how it is now; the sum over its lanes.</summary>
public readonly record struct StoutStatistics
{
    /// <summary>Marks: changes that the application asked to be made durable.</summary>
    public long Changes { get; init; }

    /// <summary>Keys written to the store; less than <see cref="Changes"/> by what was collapsed.</summary>
    public long KeysWritten { get; init; }

    /// <summary>Bytes of the values written.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Write requests answered by the store.</summary>
    public long WriteRequests { get; init; }

    /// <summary>Keys read from the store.</summary>
    public long KeysRead { get; init; }

    /// <summary>Messages released because their state was durable.</summary>
    public long MessagesReleased { get; init; }

    /// <summary>Keys that have failed.</summary>
    public long KeysFailed { get; init; }

    /// <summary>Keys with a change that is not durable yet.</summary>
    public int DirtyKeys { get; init; }

    /// <summary>Bytes of what is not durable yet, as <see cref="StoutOptions.MaxUndurableBytes"/> counts them.</summary>
    public long UndurableBytes { get; init; }

    /// <summary>The age of the oldest change that is not durable yet, of any lane; zero if there is none.</summary>
    public TimeSpan OldestUndurableAge { get; init; }

    /// <summary>Messages that wait for a change to become durable.</summary>
    public int WaitingMessages { get; init; }

    /// <summary>Write requests under way.</summary>
    public int RequestsInFlight { get; init; }

    /// <summary>Handles that work.</summary>
    public int OpenKeys { get; init; }

    /// <summary>The longest batching interval of any lane.</summary>
    public TimeSpan Interval { get; init; }

    /// <summary>What the pacing law of the lane with the greatest <see cref="PacingPhase"/> does.</summary>
    public PacingPhase Phase { get; init; }

    /// <summary>
    /// What kept the last batch from leaving earlier, of the lane with the greatest <see cref="PacingLimit"/>: it tells an idle lane
    /// (<see cref="PacingLimit.None"/>) from a congested one.
    /// </summary>
    public PacingLimit Limit { get; init; }

    /// <summary>Whether a lane can't reach its store, or gets no certain answers.</summary>
    public bool StoreFailing { get; init; }

    /// <summary>
    /// Store requests in a row that were not answered, of the lane that has most: overloaded, unreachable, or without a certain answer.
    /// What was under way together counts as one.
    /// </summary>
    public int ConsecutiveFailures { get; init; }

    /// <summary>
    /// Why the store of a lane refuses every request, such as <see cref="StoreErrorKind.Corrupt"/>; null while none does. What the store can recover
    /// from counts for 30 s: then the next request finds out again.
    /// </summary>
    public StoreErrorKind? StoreRefusal { get; init; }

    /// <summary>The figures of two lanes together.</summary>
    public static StoutStatistics operator +(StoutStatistics left, StoutStatistics right) => left.Add(right);

    /// <summary>The figures of two lanes together.</summary>
    public StoutStatistics Add(StoutStatistics other) => new()
    {
        Changes = Changes + other.Changes,
        KeysWritten = KeysWritten + other.KeysWritten,
        BytesWritten = BytesWritten + other.BytesWritten,
        WriteRequests = WriteRequests + other.WriteRequests,
        KeysRead = KeysRead + other.KeysRead,
        MessagesReleased = MessagesReleased + other.MessagesReleased,
        KeysFailed = KeysFailed + other.KeysFailed,
        DirtyKeys = DirtyKeys + other.DirtyKeys,
        UndurableBytes = UndurableBytes + other.UndurableBytes,
        OldestUndurableAge = OldestUndurableAge > other.OldestUndurableAge ? OldestUndurableAge : other.OldestUndurableAge,
        WaitingMessages = WaitingMessages + other.WaitingMessages,
        RequestsInFlight = RequestsInFlight + other.RequestsInFlight,
        OpenKeys = OpenKeys + other.OpenKeys,
        Interval = Interval > other.Interval ? Interval : other.Interval,
        Phase = Phase > other.Phase ? Phase : other.Phase,
        Limit = Limit > other.Limit ? Limit : other.Limit,
        StoreFailing = StoreFailing || other.StoreFailing,
        ConsecutiveFailures = Math.Max(ConsecutiveFailures, other.ConsecutiveFailures),
        StoreRefusal = StoreRefusal ?? other.StoreRefusal,
    };
}
