namespace Stout.Argon.Scheduling;

/// <summary>The settings of one disk's scheduler.</summary>
internal sealed record SchedulerSettings
{
    /// <summary>The most requests at the device.</summary>
    public int Depth { get; init; } = 32;

    /// <summary>False issues all at once in the order they come: the un-insulated twin.</summary>
    public bool Quanta { get; init; } = true;

    /// <summary>A service is skipped after this many idle turns (the paper's option; its default is 3).</summary>
    public int IdleTurns { get; init; } = 3;

    /// <summary>A fixed quantum in place of the computed one.</summary>
    public TimeSpan? Quantum { get; init; }

    /// <summary>A fault planted by tests: service times are never learnt.</summary>
    public bool NeverLearn { get; init; }

    /// <summary>A fault planted by tests: an idle service's turn is kept for ever.</summary>
    public bool KeepIdleTurns { get; init; }
}
