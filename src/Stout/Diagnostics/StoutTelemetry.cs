namespace Stout.Diagnostics;

/// <summary>
/// The names of Stout's meter, activity source, instruments and tags, for dashboards and alerts. Units are seconds, bytes, and counts with an annotation such
/// as {key}. <c>db.*</c> and <c>error.type</c> follow OpenTelemetry's conventions.
/// </summary>
public static class StoutTelemetry
{
    /// <summary>The meter's name.</summary>
    public const string MeterName = "Stout";

    /// <summary>The activity source's name. The source starts one activity for each write request, with links to the callers' spans.</summary>
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

        /// <summary>Counter, {decision}: changes of the batching interval; by <see cref="Tags.Decision"/>.</summary>
        public const string Decisions = "stout.batching.decisions";

        /// <summary>Up-down counter, {lane}: 1 for the current <see cref="Tags.Phase"/> of the pacing law, 0 for the others.</summary>
        public const string PacingPhase = "stout.pacing.phase";

        /// <summary>Up-down counter, {lane}: 1 for the <see cref="Tags.Limit"/> that delayed the last batch, 0 for the others.</summary>
        public const string PacingLimit = "stout.pacing.limit";

        /// <summary>Histogram, {key}: keys of a write request.</summary>
        public const string BatchKeys = "stout.batch.keys";

        /// <summary>Histogram, By: bytes of the values of a write request.</summary>
        public const string BatchSize = "stout.batch.size";

        /// <summary>
        /// Histogram, s: the time from sending a request to its answer; by <see cref="Tags.Operation"/>, <see cref="Tags.Outcome"/> and <see
        /// cref="Tags.ErrorType"/>.
        /// </summary>
        public const string RequestDuration = "stout.store.request.duration";

        /// <summary>Up-down counter, {request}: write requests in flight.</summary>
        public const string RequestsInFlight = "stout.store.request.in_flight";

        /// <summary>Counter, {change}: changes that the application asked to be made durable.</summary>
        public const string Changes = "stout.changes";

        /// <summary>
        /// Counter, {key}: keys written. Several changes of one key in one batch count once. The share of changes that needed no write of their own is
        /// 1 − <see cref="KeysWritten"/> / <see cref="Changes"/>.
        /// </summary>
        public const string KeysWritten = "stout.key.written";

        /// <summary>Counter, By: bytes of the values written.</summary>
        public const string BytesWritten = "stout.value.written";

        /// <summary>Counter, {key}: keys read.</summary>
        public const string KeysRead = "stout.key.read";

        /// <summary>Counter, {key}: failed keys; by <see cref="Tags.ErrorType"/>.</summary>
        public const string KeysFailed = "stout.key.failed";

        /// <summary>Up-down counter, {key}: keys with a change that is not durable yet.</summary>
        public const string KeysDirty = "stout.key.dirty";

        /// <summary>Up-down counter, {key}: open handles.</summary>
        public const string KeysOpen = "stout.key.open";

        /// <summary>Counter, {message}: messages released because the changes that they waited for were durable.</summary>
        public const string MessagesReleased = "stout.message.released";

        /// <summary>Up-down counter, {message}: messages that wait for a change to become durable.</summary>
        public const string MessagesWaiting = "stout.message.waiting";

        /// <summary>Gauge, s: the age of the oldest undurable change; 0 if everything is durable.</summary>
        public const string OldestChangeAge = "stout.change.oldest.age";

        /// <summary>Counter, {caller}: callers that had to wait, or were refused, at a load bound.</summary>
        public const string CallersHeldBack = "stout.overload.callers";

        /// <summary>Counter, {error}: exceptions of the application's message callbacks.</summary>
        public const string CallbackErrors = "stout.callback.errors";

        /// <summary>
        /// Counter, {callback}: slow Serialize callbacks; by <see cref="Tags.CallbackOutcome"/>: slow, or hung after the time limit.
        /// </summary>
        public const string SlowCallbacks = "stout.callback.slow";

        /// <summary>
        /// Counter, {failure}: failures of background work, such as sweeps; by <see cref="Tags.BackgroundJob"/>. A job of the whole client, such as the
        /// sweep of expired objects, has no <see cref="Tags.Partition"/>.
        /// </summary>
        public const string BackgroundFailures = "stout.background.failures";
    }

    /// <summary>The tags' names.</summary>
    public static class Tags
    {
        /// <summary>The client's name: <see cref="StoutDiagnostics.ClientName"/>.</summary>
        public const string Client = "stout.client.name";

        /// <summary>The store partition's index, from 0.</summary>
        public const string Partition = "stout.partition.index";

        /// <summary>The kind of a request: write or read.</summary>
        public const string Operation = "db.operation.name";

        /// <summary>The number of a request's keys, on the activity of a request with two or more keys.</summary>
        public const string BatchSize = "db.operation.batch.size";

        /// <summary>Bytes of a request's values, on the request's activity.</summary>
        public const string BatchBytes = "stout.batch.size";

        /// <summary>The outcome of a request: answered, overloaded, unreachable or unknown.</summary>
        public const string Outcome = "stout.store.request.outcome";

        /// <summary>The outcome of a slow Serialize callback: slow or hung.</summary>
        public const string CallbackOutcome = "stout.callback.outcome";

        /// <summary>The name of a background job, such as sweep, checkpoint, expiry or size.</summary>
        public const string BackgroundJob = "stout.background.job";

        /// <summary>
        /// The error; absent if there was no error. For requests: the outcome. For keys: outcome_unknown, or the reason why the change was not applied:
        /// store_unreachable, store_refused, serialization_failed, serialization_timed_out, too_large, conflict, fenced, stopped, key_busy or not_sent_in_time.
        /// </summary>
        public const string ErrorType = "error.type";

        /// <summary>The direction of an interval change: back_off (longer) or accelerate (shorter).</summary>
        public const string Decision = "stout.batching.decision";

        /// <summary>The phase of a pacing law: steady, startup, draining, descending, relearning or refused.</summary>
        public const string Phase = "stout.pacing.phase";

        /// <summary>The reason why a batch did not leave earlier: <c>none</c>, interval, in_flight, refusals or trouble.</summary>
        public const string Limit = "stout.pacing.limit";

        /// <summary>The number of the attempt, from 2, on the activity of a repeated request.</summary>
        public const string Attempt = "stout.store.request.attempt";
    }
}
