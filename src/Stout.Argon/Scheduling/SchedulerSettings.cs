namespace Stout.Argon.Scheduling;

/// <summary>The settings of one disk's scheduler.</summary>
internal sealed record SchedulerSettings
{
    /// <summary>The largest number of requests at the device at once.</summary>
    public int Depth { get; init; } = 32;

    /// <summary>False issues all requests at once in arrival order, as the un-insulated variant does.</summary>
    public bool Quanta { get; init; } = true;

    /// <summary>The number of consecutive turns without a request after which a service is skipped (the paper's option; its default is 3).</summary>
    public int IdleTurns { get; init; } = 3;

    /// <summary>The time without the end of a request after which a turn ends although requests are at the device.</summary>
    public TimeSpan StuckAfter { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>A fixed quantum in place of the computed one.</summary>
    public TimeSpan? Quantum { get; init; }

    /// <summary>A planted fault for tests: service times are never learned.</summary>
    public bool NeverLearn { get; init; }

    /// <summary>A planted fault for tests: an idle service's turn is kept forever.</summary>
    public bool KeepIdleTurns { get; init; }
}
