namespace Stout.Testing;

/// <summary>What a <see cref="FaultyStore"/> injects by chance. By default nothing.</summary>
public sealed record FaultyStoreOptions
{
    /// <summary>
    /// Where the dice begin; default 0. The same seed and the same requests, one after the other, have the same faults. Counts when the
    /// store is made; later changes have no effect.
    /// </summary>
    public int Seed { get; init; }

    /// <summary>The least time that a request takes on its way to the store; 0 to 1 hour, default 0.</summary>
    public TimeSpan MinLatency { get; init; }

    /// <summary>The greatest time that a request takes on its way to the store; <see cref="MinLatency"/> to 1 hour, default 0.</summary>
    public TimeSpan MaxLatency { get; init; }

    /// <summary>How long an overloaded store, or one with a busy key, asks to be left alone; default null: it does not say.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>How often a request as a whole has a fault.</summary>
    public FaultRates Requests { get; init; } = FaultRates.None;

    /// <summary>How often a key has a fault in a request that has none as a whole.</summary>
    public FaultRates Keys { get; init; } = FaultRates.None;

    /// <summary>
    /// How often the store dies of a request, before or after it applies it, 0 to 1; default 0. It is dead for <see cref="DownTime"/>.
    /// </summary>
    public double Death { get; init; }

    /// <summary>How long the store stays dead after a <see cref="Death"/>; 0 to 1 hour, default 1 s.</summary>
    public TimeSpan DownTime { get; init; } = TimeSpan.FromSeconds(1);

    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    internal void Validate()
    {
        CheckTime(nameof(MinLatency), MinLatency, TimeSpan.Zero);
        CheckTime(nameof(MaxLatency), MaxLatency, MinLatency);
        CheckTime(nameof(DownTime), DownTime, TimeSpan.Zero);
        if (RetryAfter is { } retryAfter)
            CheckTime(nameof(RetryAfter), retryAfter, TimeSpan.Zero);
        FaultRates.CheckRate(nameof(Death), Death);
        Requests.Validate(nameof(Requests));
        Keys.Validate(nameof(Keys));
    }

    private static void CheckTime(string name, TimeSpan value, TimeSpan least)
    {
        if (value < least || value > TimeSpan.FromHours(1))
            throw new InvalidOptionException(name, value, $"it must lie between {least} and 1 hour");
    }
}
