namespace Stout.Pacing;

/// <summary>
/// Parameters of <see cref="DelayLaw"/>. None needs tuning for a kind of store; they are here for experiments, and for services that
/// must bound their latency or their connections.
/// </summary>
public sealed record DelayLawParameters
{
    /// <summary>
    /// The queueing delay that the law aims at, as a factor of √(idle latency × interval), times √(idle latency / three times what a request of one
    /// key takes) where that is above 1. More shortens the interval and lengthens the store's queue. The law begins with it and corrects it by what
    /// callers feel. 0.05 to 2. Default: 0.5.
    /// </summary>
    public double QueueFactor { get; set; } = 0.5;

    /// <summary>The largest ordinary step of the interval per answer, as a natural logarithm. 0.01 to 0.5. Default: 0.1.</summary>
    public double Gain { get; set; } = 0.1;

    /// <summary>
    /// How far the interval swings at most either way to find out what callers feel, as a natural logarithm. All processes swing together, by the
    /// system's clock (UTC). 0: not at all; the queue aimed at is not corrected then, nor do the
    /// processes try together what interval the store keeps up with, or yield to each other; quiet moments remain. 0 to 0.3. Default: 0.15.
    /// </summary>
    public double Swing { get; set; } = 0.15;

    /// <summary>
    /// The interval to begin with, in milliseconds. The first write leaves at once, and its answer bounds the interval that the law comes
    /// down from. Counts up to the longest interval. 0.1 to 60,000. Default: 400.
    /// </summary>
    public double InitialIntervalMilliseconds { get; set; } = 400;

    /// <summary>
    /// The longest interval that queueing delay leads to, in milliseconds. While a queue drains that is far longer than the interval a batch may wait twice as long; and before a
    /// quiet moment, in which all lanes let the store run empty, 256 ms longer. 1 to 60,000. Default: 400, as the paper's.
    /// </summary>
    public double MaxIntervalMilliseconds { get; set; } = 400;

    /// <summary>The longest interval that refusals for overload lead to, in milliseconds. 1 to 60,000. Default: 4,000.</summary>
    public double MaxRefusedIntervalMilliseconds { get; set; } = 4_000;

    /// <summary>The most write requests in flight; the law allows fewer when the interval is long against the latency. 1 to 1,000. Default: 24.</summary>
    public int MaxInFlight { get; set; } = 24;

    internal void Validate()
    {
        InvalidOptionException.ThrowUnlessBetween(nameof(QueueFactor), QueueFactor, 0.05, 2);
        InvalidOptionException.ThrowUnlessBetween(nameof(Gain), Gain, 0.01, 0.5);
        InvalidOptionException.ThrowUnlessBetween(nameof(Swing), Swing, 0, 0.3);
        InvalidOptionException.ThrowUnlessBetween(nameof(MaxIntervalMilliseconds), MaxIntervalMilliseconds, 1, 60_000);
        InvalidOptionException.ThrowUnlessBetween(nameof(InitialIntervalMilliseconds), InitialIntervalMilliseconds, 0.1, 60_000);
        InvalidOptionException.ThrowUnlessBetween(nameof(MaxRefusedIntervalMilliseconds), MaxRefusedIntervalMilliseconds, 1, 60_000);
        InvalidOptionException.ThrowUnlessBetween(nameof(MaxInFlight), MaxInFlight, 1, 1000);
    }
}
