namespace Stout.Lanes.Core;

/// <summary>The time limits of waits: no change, fill or drain waits longer than the options allow, regardless of load.</summary>
internal sealed class TimeLimits(StoutOptions options, DepartureGate gate, ILaneClient? client)
{
    // A divisor: a request in flight for longer than RequestTimeout / 8 no longer counts against the in-flight limit. With the default of 15 s that is
    // about 2 s; ordinary requests end well before.
    private const int SlowRequest = 8;

    /// <summary>
    /// The longest wait of a change or fill before it is sent to a reachable store. It is at least the time after which a request counts as slow:
    /// otherwise changes that wait for ordinary requests would time out.
    /// </summary>
    public TimeSpan Patience { get; } = Later(options.UnreachableTimeout, SlowAfter(options.RequestTimeout));

    /// <summary>
    /// The longest time from a change to its answer: the wait for sending, the client's callback, and two requests. The first request carries an earlier change
    /// of the key.
    /// </summary>
    public TimeSpan LongestWait => Patience + gate.Interval + (client?.LongestGathering ?? TimeSpan.Zero) + (2 * (options.RequestTimeout + options.ResolveUnknownFor));

    /// <summary>The time after which a request counts as slow.</summary>
    public static TimeSpan SlowAfter(TimeSpan timeout) => timeout / SlowRequest;

    /// <summary>The time by which a change or fill waiting since <paramref name="since"/> must be sent.</summary>
    public TimeSpan SendBy(TimeSpan since)
    {
        var by = since + Patience + gate.Interval;
        return gate.UnreachableSince is { } lost ? Earlier(by, Later(lost, since) + options.UnreachableTimeout) : by;
    }

    public static TimeSpan Earlier(TimeSpan a, TimeSpan b) => a < b ? a : b;

    public static TimeSpan Later(TimeSpan a, TimeSpan b) => a > b ? a : b;
}
