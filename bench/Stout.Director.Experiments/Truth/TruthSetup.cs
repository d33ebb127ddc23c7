
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

    /// <summary>The time for which a request holds its slot.</summary>
    public const int SlotMilliseconds = 20;

    /// <summary>The rate that fills all slots of one server.</summary>
    public const double FullRate = Slots * 1000.0 / SlotMilliseconds;

    public static ServiceObjective Objective { get; } = ServiceObjective.Parse("95 % of reads under 100 ms, over 20 s");

    /// <summary>The thresholds of the measured latencies in seconds.</summary>
    public static IReadOnlyList<double> Thresholds { get; } = [0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1];

    /// <summary>The index of the objective in <see cref="Thresholds"/>.</summary>
    public static int SlowIndex { get; } = Thresholds.ToList().IndexOf(Objective.Threshold.TotalSeconds);

    public static DirectorPolicy Policy { get; } = DirectorPolicy.Default with
    {
        Period = TimeSpan.FromSeconds(5),
        BootTime = TimeSpan.FromSeconds(10),
        ChargeInterval = TimeSpan.FromSeconds(60),
        Dwell = TimeSpan.FromSeconds(60),
        LeastReplicas = 1,
        ReadFanOut = 1,
        MostServers = MostServers,
        SlowBudget = Objective.SlowBudget,
    };
}
