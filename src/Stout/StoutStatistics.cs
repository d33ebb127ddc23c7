using Stout.Pacing;
using Stout.Storage;

namespace Stout;

/// <summary>
/// Counters since the client was opened, and the client's present state. A member is the sum over the client's lanes, unless it says otherwise.
/// </summary>
public readonly record struct StoutStatistics
{
    /// <summary>Changes that the application asked to be made durable.</summary>
    public long Changes { get; init; }

    /// <summary>Keys written to the store. Several changes of one key in one batch count once.</summary>
    public long KeysWritten { get; init; }

    /// <summary>Bytes of the values written.</summary>
    public long BytesWritten { get; init; }

    /// <summary>Write requests answered by the store.</summary>
    public long WriteRequests { get; init; }

    /// <summary>Keys read from the store.</summary>
    public long KeysRead { get; init; }

    /// <summary>Messages released because the changes that they waited for were durable.</summary>
    public long MessagesReleased { get; init; }

    /// <summary>Keys that have failed.</summary>
    public long KeysFailed { get; init; }

    /// <summary>Keys with a change that is not durable yet.</summary>
    public int DirtyKeys { get; init; }

    /// <summary>The bytes that are not durable yet, as <see cref="StoutOptions.MaxUndurableBytes"/> counts them.</summary>
    public long UndurableBytes { get; init; }

    /// <summary>The age of the oldest undurable change of any lane; zero if everything is durable.</summary>
    public TimeSpan OldestUndurableAge { get; init; }

    /// <summary>Messages that wait for a change to become durable.</summary>
    public int WaitingMessages { get; init; }

    /// <summary>Write requests in flight.</summary>
    public int RequestsInFlight { get; init; }

    /// <summary>Open handles.</summary>
    public int OpenKeys { get; init; }

    /// <summary>The longest batching interval of any lane.</summary>
    public TimeSpan Interval { get; init; }

    /// <summary>The pacing phase; of several lanes, the phase with the greatest value of <see cref="PacingPhase"/>.</summary>
    public PacingPhase Phase { get; init; }

    /// <summary>
    /// The reason why the last batch did not leave earlier; of several lanes, the reason with the greatest value of <see cref="PacingLimit"/>. It is <see
    /// cref="PacingLimit.None"/> if every lane is idle or was not delayed.
    /// </summary>
    public PacingLimit Limit { get; init; }

    /// <summary>Whether any lane's store is unreachable, or gives no certain answers.</summary>
    public bool StoreFailing { get; init; }

    /// <summary>
    /// The number of consecutive store requests that failed as overloaded, unreachable or uncertain, of the lane with the largest number. Requests that
    /// were in flight together count once.
    /// </summary>
    public int ConsecutiveFailures { get; init; }

    /// <summary>
    /// The reason why a lane's store refuses every request, such as <see cref="StoreErrorKind.Corrupt"/>; null otherwise. A reason that the store can
    /// recover from is reported for 30 s after the refusal; then the next request tests the store.
    /// </summary>
    public StoreErrorKind? StoreRefusal { get; init; }

    /// <summary>Failures of background work, such as sweeps. They concern no caller.</summary>
    public long BackgroundFailures { get; init; }

    /// <summary>
    /// A background job whose last run failed, with its place and the kind of the error, such as "sweep of partition 0 (Refused)"; null if no job fails.
    /// </summary>
    public string? BackgroundFailure { get; init; }

    /// <summary>Adds the figures of two lanes.</summary>
    public static StoutStatistics operator +(StoutStatistics left, StoutStatistics right) => left.Add(right);

    /// <summary>Adds the figures of two lanes.</summary>
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
        BackgroundFailures = BackgroundFailures + other.BackgroundFailures,
        BackgroundFailure = BackgroundFailure ?? other.BackgroundFailure,
    };
}
