namespace Stout.Diagnostics;

/// <summary>
/// The names of Stout's meter, activity source, instruments and tags: what dashboards and alerts refer to. Units are seconds, bytes
/// and annotated counts; <c>db.*</c> and <c>error.type</c> are OpenTelemetry's own conventions.
/// </summary>
public static class StoutTelemetry
{
    /// <summary>The meter's name.</summary>
    public const string MeterName = "Stout";

    /// <summary>The activity source's name. One activity for each write request; it links to its callers' spans.</summary>
    public const string ActivitySourceName = "Stout";

    /// <summary>The name of the activity of a write request.</summary>
    public const string WriteActivityName = "stout.write";

    /// <summary>The most callers' spans that one write request links to.</summary>
    public const int MaxLinks = 32;

    /// <summary>The instruments' names. Every measurement carries <see cref="Tags.Client"/> and <see cref="Tags.Partition"/>.</summary>
    public static class Instruments
    {
        /// <summary>Gauge, s: the batching interval.</summary>
        public const string Interval = "stout.batching.interval";

        /// <summary>Counter, {decision}: changes of the interval; by <see cref="Tags.Decision"/>.</summary>
        public const string Decisions = "stout.batching.decisions";

        /// <summary>Up-down counter, {lane}: 1, by <see cref="Tags.Phase"/>: what the pacing law does.</summary>
        public const string PacingPhase = "stout.pacing.phase";

        /// <summary>Up-down counter, {lane}: 1, by <see cref="Tags.Limit"/>: what kept the last batch from leaving earlier.</summary>
        public const string PacingLimit = "stout.pacing.limit";

        /// <summary>Histogram, {key}: keys of a write request.</summary>
        public const string BatchKeys = "stout.batch.keys";

        /// <summary>Histogram, By: bytes of the values of a write request.</summary>
        public const string BatchSize = "stout.batch.size";

        /// <summary>Histogram, s: from a request's sending to its answer; by <see cref="Tags.Operation"/>, <see cref="Tags.Outcome"/> and <see cref="Tags.ErrorType"/>.</summary>
        public const string RequestDuration = "stout.store.request.duration";

        /// <summary>Up-down counter, {request}: write requests under way.</summary>
        public const string RequestsInFlight = "stout.store.request.in_flight";

        /// <summary>Counter, {change}: marks.</summary>
        public const string Changes = "stout.changes";

        /// <summary>Counter, {key}: keys written; the share that was collapsed is 1 − this / <see cref="Changes"/>.</summary>
        public const string KeysWritten = "stout.key.written";

        /// <summary>Counter, By: bytes of the values written.</summary>
        public const string BytesWritten = "stout.value.written";

        /// <summary>Counter, {key}: keys read.</summary>
        public const string KeysRead = "stout.key.read";

        /// <summary>Counter, {key}: keys that have failed; by <see cref="Tags.ErrorType"/>.</summary>
        public const string KeysFailed = "stout.key.failed";

        /// <summary>Up-down counter, {key}: keys with a change that is not durable yet.</summary>
        public const string KeysDirty = "stout.key.dirty";

        /// <summary>Up-down counter, {key}: handles that work.</summary>
        public const string KeysOpen = "stout.key.open";

        /// <summary>Counter, {message}: messages released because their state was durable.</summary>
        public const string MessagesReleased = "stout.message.released";

        /// <summary>Up-down counter, {message}: messages that wait for a change to become durable.</summary>
        public const string MessagesWaiting = "stout.message.waiting";

        /// <summary>Gauge, s: the age of the oldest change that is not durable; 0 if there is none.</summary>
        public const string OldestChangeAge = "stout.change.oldest.age";

        /// <summary>Counter, {caller}: callers that were held back or refused because too much was undurable.</summary>
        public const string CallersHeldBack = "stout.overload.callers";

        /// <summary>Counter, {error}: exceptions of the application's message callbacks.</summary>
        public const string CallbackErrors = "stout.callback.errors";

        /// <summary>Counter, {callback}: Serialize callbacks that took long; by <see cref="Tags.CallbackOutcome"/>: slow, or hung if they were given up.</summary>
        public const string SlowCallbacks = "stout.callback.slow";
    }

    /// <summary>The tags' names.</summary>
    public static class Tags
    {
        /// <summary>The client's name: <see cref="StoutDiagnostics.ClientName"/>.</summary>
        public const string Client = "stout.client.name";

        /// <summary>The store partition's index, from 0.</summary>
        public const string Partition = "stout.partition.index";

        /// <summary>What a request does: write or read.</summary>
        public const string Operation = "db.operation.name";

        /// <summary>Keys of a request of two or more, on its activity.</summary>
        public const string BatchSize = "db.operation.batch.size";

        /// <summary>Bytes of a request's values, on its activity.</summary>
        public const string BatchBytes = "stout.batch.size";

        /// <summary>How a request ended: answered, overloaded, unreachable or unknown.</summary>
        public const string Outcome = "stout.store.request.outcome";

        /// <summary>How a Serialize callback ended that took long: slow or hung.</summary>
        public const string CallbackOutcome = "stout.callback.outcome";

        /// <summary>
        /// What went wrong, absent where nothing did. Of requests: the outcome. Of keys: outcome_unknown, or the reason that nothing was
        /// applied, as store_unreachable, store_refused, serialization_failed, serialization_timed_out, too_large, conflict, fenced, stopped,
        /// key_busy, not_sent_in_time.
        /// </summary>
        public const string ErrorType = "error.type";

        /// <summary>Which way the interval went: back_off (longer) or accelerate (shorter).</summary>
        public const string Decision = "stout.batching.decision";

        /// <summary>The phase of a pacing law: steady, startup, draining, descending, relearning or refused.</summary>
        public const string Phase = "stout.pacing.phase";

        /// <summary>What kept a batch from leaving earlier: none, interval, in_flight, refusals or trouble.</summary>
        public const string Limit = "stout.pacing.limit";

        /// <summary>Which attempt at its keys a request is, from 2, on the activity of a repeated one.</summary>
        public const string Attempt = "stout.store.request.attempt";
    }
}
