namespace Stout.Director.Experiments.Truth;

/// <summary>The servers, documents and times of the real runs.</summary>
internal static class TruthSetup
{
    public const string Type = "slots";
    public const int Bins = 40;
    public const int MostServers = 4;
    public const long BinBytes = 1_000_000;

    /// <summary>The requests that a server works on at once.</summary>
    public const int Slots = 4;

    /// <summary>The time for which a request holds its slot: so long that a timer's error of 1 ms hardly matters, and that four servers take little of two processors.</summary>
    public const int SlotMilliseconds = 40;

    /// <summary>The rate that fills all slots of one server.</summary>
    public const double FullRate = Slots * 1000.0 / SlotMilliseconds;

    /// <summary>The highest rate of a load. The most servers carry it with room for the rises that the Director answers late.</summary>
    public const double Peak = 0.65 * MostServers * FullRate;

    public static ServiceObjective Objective { get; } = ServiceObjective.Parse("95 % of reads under 150 ms, over 20 s");

    /// <summary>The thresholds of the measured latencies in seconds.</summary>
    public static IReadOnlyList<double> Thresholds { get; } = [0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1];

    /// <summary>The index of the objective in <see cref="Thresholds"/>.</summary>
    public static int SlowIndex { get; } = Thresholds.ToList().IndexOf(Objective.Threshold.TotalSeconds);

    /// <summary>
    /// The policy, in the times of a run of minutes. It keeps no empty server: with one, nearly every run has all four servers all the time, and every forecast holds.
    /// </summary>
    public static DirectorPolicy Policy { get; } = DirectorPolicy.Default with
    {
        Period = TimeSpan.FromSeconds(5),
        BootTime = TimeSpan.FromSeconds(10),
        ChargeInterval = TimeSpan.FromSeconds(30),
        Dwell = TimeSpan.FromSeconds(30),
        Standbys = 0,
        LeastReplicas = 1,
        ReadFanOut = 1,
        MostServers = MostServers,
        SlowBudget = Objective.SlowBudget,
    };
}
