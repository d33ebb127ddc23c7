using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;
using Stout.Diagnostics;
using Stout.Pacing;

namespace Stout;

/// <summary>The options of a client. The defaults suit every store.</summary>
public sealed record StoutOptions
{
    /// <summary>
    /// Creates the pacing law of each lane: a built-in law of <see cref="PacingLaws"/>, or a custom one. The factory is called once for each lane. In
    /// configuration, <c>Pacing:Law</c> names a built-in law, and the section of that name holds its parameters. Default: null, which means <see
    /// cref="PacingLaws.Delay"/> on a store that processes share (<see cref="Storage.StorageCapabilities.Shared"/>). On other stores, null means no
    /// batching interval, and as many requests in flight as the partition prefers (<see cref="Storage.IStorePartition.PreferredInFlight"/>).
    /// </summary>
    public Func<IPacingLaw>? Pacing { get; set; }

    /// <summary>
    /// The most keys of one lane with a change that is not durable yet. Beyond it, callers wait for admission. 1 or more. Default: 1,000,000.
    /// </summary>
    [AtLeast(1)]
    public int MaxDirtyKeys { get; set; } = 1_000_000;

    /// <summary>
    /// The most undurable bytes of one lane before callers have to wait for admission. The typed layer counts each change's bytes. Until a key is
    /// serialized, the base layer counts it by the size of its last read or write. It counts a new key by the mean size of undurable keys. Reads in
    /// progress have a bound of the same size. 1 or more. Default: 256 MiB.
    /// </summary>
    [AtLeast(1)]
    public long MaxUndurableBytes { get; set; } = 256L << 20;

    /// <summary>
    /// The most bytes of one object, all parts together. A read of a larger object, and a change that would make one, fail with <see
    /// cref="ObjectTooLargeException"/>. 1 or more. Default: 256 MiB.
    /// </summary>
    [AtLeast(1)]
    public long MaxObjectBytes { get; set; } = 256L << 20;

    /// <summary>The most parts of one object; otherwise as <see cref="MaxObjectBytes"/>. 1 or more. Default: 1,000,000.</summary>
    [AtLeast(1)]
    public int MaxObjectParts { get; set; } = 1_000_000;

    /// <summary>The most waiting messages of one lane before callers have to wait for admission. 1 or more. Default: 1,000,000.</summary>
    [AtLeast(1)]
    public int MaxWaitingMessages { get; set; } = 1_000_000;

    /// <summary>
    /// Whether callers wait or fail while a lane exceeds <see cref="MaxDirtyKeys"/>, <see cref="MaxUndurableBytes"/> or <see
    /// cref="MaxWaitingMessages"/>. Default: <see cref="OverloadBehavior.Wait"/>.
    /// </summary>
    public OverloadBehavior OverloadBehavior { get; set; } = OverloadBehavior.Wait;

    /// <summary>
    /// The longest wait of changes, fills and callers awaiting admission. They wait while the store is unreachable, overloaded or silent, or while the
    /// key is busy in the store. After this time, changes fail with <see cref="NotAppliedException"/>. While the store is reachable, the time is at
    /// least an eighth of <see cref="RequestTimeout"/>, plus the batching interval. 0 to 1 day. Default: 30 s.
    /// </summary>
    [TimeRange("00:00:00", "1.00:00:00")]
    public TimeSpan UnreachableTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The longest wait of one call for its answer: admission, fill, the object's lock, sending and resolving together. After this time, or up to a 64th of it
    /// earlier, the call ends with an error. A call whose change was not made fails with <see cref="NotAppliedException"/>. A call whose change was made fails
    /// with <see cref="OutcomeUnknownException"/>, and its change may still become durable. A fill or read fails with <see cref="FillFailedException"/>. The
    /// limits of the store's requests stay as they are. Callbacks, <see cref="StoutClient.StopAsync"/> and <see cref="StoutClient.DisposeAsync"/> do not use
    /// this limit. 1 ms to 1 day. Default: null, which means no limit besides the other time limits. <c>Stout.Orleans</c> replaces null by 0.8 of the silo's
    /// response time-out.
    /// </summary>
    [TimeRange("00:00:00.001", "1.00:00:00")]
    public TimeSpan? AnswerWithin { get; set; }

    /// <summary>
    /// The time for which a starting host waits for an unreachable, overloaded, silent or locked store. The health check reports unhealthy meanwhile. After this time
    /// the start fails with the store's error. 0 to 1 day; 0 fails at once. Default: 30 s. A client that is opened in code does not wait.
    /// </summary>
    [TimeRange("00:00:00", "1.00:00:00")]
    public TimeSpan WaitAtStart { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Raises all epochs above this number when the client opens the store, durably and before the first claim. Keys with an owner get such an epoch from their
    /// next claim. For the first start after a restore of a backup, which would otherwise give epochs a second time. The number must be larger than
    /// every epoch given before, such as the time of the restore in seconds since 1970. It may stay set; a smaller number than before changes nothing. 1
    /// to <see cref="Storage.KeyClaim.MaxAtLeastEpoch"/>. Default: null, which raises nothing.
    /// </summary>
    [AtLeast(1)]
    public long? RaiseEpochsTo { get; set; }

    /// <summary>
    /// The time for which a write of unknown outcome is repeated, from its first time-out. After this time the write fails with <see
    /// cref="OutcomeUnknownException"/>. 0 to 1 day. Default: 30 s.
    /// </summary>
    [TimeRange("00:00:00", "1.00:00:00")]
    public TimeSpan ResolveUnknownFor { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The time limit of one store request. After it the outcome counts as unknown. 1 ms to 1 day. Default: 15 s.</summary>
    [TimeRange("00:00:00.001", "1.00:00:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>The time limit of a Serialize or Deserialize callback. After this time the callback's keys fail. 1 ms to 1 day. Default: 30 s.</summary>
    [TimeRange("00:00:00.001", "1.00:00:00")]
    public TimeSpan CallbackTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The delay before the first retry at an unreachable, overloaded or silent store. Each further retry doubles the delay, up to <see
    /// cref="MaxRetryDelay"/>. 1 ms to 1 hour. Default: 50 ms.
    /// </summary>
    [TimeRange("00:00:00.001", "01:00:00")]
    public TimeSpan MinRetryDelay { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The longest delay between two retries, unless the store asks for a longer one. <see cref="MinRetryDelay"/> to 1 hour. Default: 1 s.</summary>
    [TimeRange("00:00:00.001", "01:00:00")]
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The time for which batches skip a deferred key, unless it is marked again. 1 ms to 1 minute. Default: 5 ms.</summary>
    [TimeRange("00:00:00.001", "00:01:00")]
    public TimeSpan DeferredKeyDelay { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>The client's name in metrics, traces and logs, and their destinations. Default: no logs.</summary>
    [Required, ValidateObjectMembers(typeof(StoutDiagnosticsValidator))]
    public StoutDiagnostics Diagnostics { get; set; } = new();

    /// <summary>
    /// Receives the exceptions of the application's message callbacks, on the thread pool. The log has them too. An asynchronous function is refused, since its own
    /// exceptions would end the process. Default: null.
    /// </summary>
    public Action<Exception>? CallbackFailed { get; set; }

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(StoutOptions);

    internal StoutOptions Copy() => this with { Diagnostics = Diagnostics with { } };

    /// <summary>Validates every option.</summary>
    /// <exception cref="InvalidOptionException">An option is out of its range. The message names the first one and its range.</exception>
    public void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new StoutOptionsValidator(), this);
        // Attributes can neither check an enumeration's members nor compare two options.
        if (!Enum.IsDefined(OverloadBehavior))
            throw new InvalidOptionException(nameof(OverloadBehavior), $"it must be one of {string.Join(", ", Enum.GetNames<OverloadBehavior>())}");
        if (RaiseEpochsTo > Storage.KeyClaim.MaxAtLeastEpoch)
            throw new InvalidOptionException(nameof(RaiseEpochsTo), $"it must be {Storage.KeyClaim.MaxAtLeastEpoch} or less");
        if (MaxRetryDelay < MinRetryDelay)
            throw new InvalidOptionException(nameof(MaxRetryDelay), $"it must be {nameof(MinRetryDelay)} or more");
        if (SynchronousFunction.IsAsynchronous(CallbackFailed))
            throw new InvalidOptionException(nameof(CallbackFailed), "it must not be asynchronous");
    }
}

[OptionsValidator]
internal sealed partial class StoutOptionsValidator : IValidateOptions<StoutOptions>;
