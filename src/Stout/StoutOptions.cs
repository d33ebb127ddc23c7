using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;
using Stout.Diagnostics;
using Stout.Pacing;

namespace Stout;

/// <summary>How a Stout behaves towards its store and its application. The defaults suit every store.</summary>
public sealed record StoutOptions
{
    /// <summary>
    /// Makes the pacing law of each lane: a built-in law of <see cref="PacingLaws"/>, or a law of your own. It is called once for each lane, and
    /// not when the options are checked. In configuration, <c>Pacing:Law</c> names a built-in law, and a section named as the law beside it
    /// holds its parameters. Default: <see cref="PacingLaws.Delay"/>.
    /// </summary>
    [Required]
    public Func<IPacingLaw> Pacing { get; set; } = PacingLaws.Delay();

    /// <summary>Dirty keys of one lane from which on callers are held back. 1 or more. Default: 1,000,000.</summary>
    [AtLeast(1)]
    public int MaxDirtyKeys { get; set; } = 1_000_000;

    /// <summary>
    /// Undurable bytes of one lane from which on callers are held back. The typed layer counts each change's bytes; the base layer counts
    /// a key by its last size until it is serialized, and a new one by the mean. As many bytes of reads may be under way besides. 1 or more.
    /// Default: 256 MiB.
    /// </summary>
    [AtLeast(1)]
    public long MaxUndurableBytes { get; set; } = 256L << 20;

    /// <summary>
    /// The most bytes of one object, all parts together. A larger one is not read, and the typed layer refuses the change that would make it,
    /// with <see cref="ObjectTooLargeException"/>. 1 or more. Default: 256 MiB.
    /// </summary>
    [AtLeast(1)]
    public long MaxObjectBytes { get; set; } = 256L << 20;

    /// <summary>The most parts of one object; otherwise as <see cref="MaxObjectBytes"/>. 1 or more. Default: 1,000,000.</summary>
    [AtLeast(1)]
    public int MaxObjectParts { get; set; } = 1_000_000;

    /// <summary>Waiting messages of one lane from which on callers are held back. 1 or more. Default: 1,000,000.</summary>
    [AtLeast(1)]
    public int MaxWaitingMessages { get; set; } = 1_000_000;

    /// <summary>What happens to callers that are held back. Default: they wait.</summary>
    public OverloadBehavior OverloadBehavior { get; set; } = OverloadBehavior.Wait;

    /// <summary>
    /// How long changes, fills and callers held back wait for a store that can't be reached, is overloaded or does not answer, or for a key
    /// that something holds in the store. Then changes fail as not applied. At a store that can be reached, an eighth of
    /// <see cref="RequestTimeout"/> is the least, and the batching interval comes on top. Default: 30 s.
    /// </summary>
    [TimeRange("00:00:00", "1.00:00:00")]
    public TimeSpan UnreachableTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long the start of a host waits for a store that can't be reached, is overloaded or does not answer. Its health is unhealthy
    /// meanwhile; then the start fails with the store's error. 0 to 1 day; 0 fails at once. Default: 30 s. A client that is opened in code
    /// does not wait.
    /// </summary>
    [TimeRange("00:00:00", "1.00:00:00")]
    public TimeSpan WaitAtStart { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How long a write of unknown outcome is repeated before it fails as unknown, counted from the first time-out. Default: 30 s.</summary>
    [TimeRange("00:00:00", "1.00:00:00")]
    public TimeSpan ResolveUnknownFor { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>How long one request to the store may take before its outcome counts as unknown. Default: 15 s.</summary>
    [TimeRange("00:00:00.001", "1.00:00:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>How long an application's Serialize or Deserialize callback may take before its keys fail. Default: 30 s.</summary>
    [TimeRange("00:00:00.001", "1.00:00:00")]
    public TimeSpan CallbackTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The wait before the first repeated attempt at an unreachable, overloaded or silent store; it doubles up to <see cref="MaxRetryDelay"/>. Default: 50 ms.</summary>
    [TimeRange("00:00:00.001", "01:00:00")]
    public TimeSpan MinRetryDelay { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The longest wait between two attempts, unless the store asks for a longer one. Default: 1 s.</summary>
    [TimeRange("00:00:00.001", "01:00:00")]
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a key that the Serialize callback has left stays out of the batches, unless it is marked again. Default: 5 ms.</summary>
    [TimeRange("00:00:00.001", "00:01:00")]
    public TimeSpan DeferredKeyDelay { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>The client's name in metrics, traces and logs, and where they go. Default: no logs.</summary>
    [Required, ValidateObjectMembers(typeof(StoutDiagnosticsValidator))]
    public StoutDiagnostics Diagnostics { get; set; } = new();

    /// <summary>Told, beside the log, of what the application's message callbacks throw; called on the thread pool. Default: null, and only the log has it.</summary>
    public Action<Exception>? CallbackFailed { get; set; }

    /// <summary>The type's name alone: a setting may be a secret.</summary>
    public override string ToString() => nameof(StoutOptions);

    internal StoutOptions Copy() => this with { Diagnostics = Diagnostics with { } };

    /// <summary>Checks every option.</summary>
    /// <exception cref="InvalidOptionException">Names the first option that is out of its range, and the range.</exception>
    public void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new StoutOptionsValidator(), this);
        // An attribute can neither name the members of an enumeration nor compare two options.
        if (!Enum.IsDefined(OverloadBehavior))
            throw new InvalidOptionException(nameof(OverloadBehavior), $"it must be one of {string.Join(", ", Enum.GetNames<OverloadBehavior>())}");
        if (MaxRetryDelay < MinRetryDelay)
            throw new InvalidOptionException(nameof(MaxRetryDelay), $"it must be {nameof(MinRetryDelay)} or more");
    }
}

[OptionsValidator]
internal sealed partial class StoutOptionsValidator : IValidateOptions<StoutOptions>;
