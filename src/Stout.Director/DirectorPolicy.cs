using Stout.Director.Loads;
using Stout.Director.Planning;

namespace Stout.Director;

/// <summary>
/// The parameters of the Director's decisions: those of the paper's table in §5.7, and further ones. <see cref="Default"/> is this library's policy;
/// <see cref="Paper"/> is the paper's.
/// </summary>
public sealed record DirectorPolicy
{
    /// <summary>The default policy.</summary>
    public static DirectorPolicy Default { get; } = new();

    /// <summary>The effect of decisions. Default: <see cref="DirectorMode.Act"/>.</summary>
    public DirectorMode Mode { get; init; }

    /// <summary>The time between two plans. Above 0. Default: 20 s (the paper's).</summary>
    public TimeSpan Period { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>The way in which the next period's load is estimated. Default: <see cref="ForecastKind.Trend"/>.</summary>
    public ForecastKind Forecast { get; init; } = ForecastKind.Trend;

    /// <summary>
    /// The weight of a measurement above the estimate in <see cref="ForecastKind.Smoothing"/>. Above 0, at most 1. Default: 0.9 (the paper's).
    /// </summary>
    public double AlphaUp { get; init; } = 0.9;

    /// <summary>
    /// The weight of a measurement below the estimate in <see cref="ForecastKind.Smoothing"/>. In <see cref="ForecastKind.Trend"/>, the weight of every
    /// measurement of a bin that does not surge, and of every one below the estimate. Above 0, at most 1. Default: 0.1 (the paper's).
    /// </summary>
    public double AlphaDown { get; init; } = 0.1;

    /// <summary>The share of the estimated load that is added to the estimate for safety. From 0 to 4. Default: 0.1; the paper uses 0.1 and 0.3.</summary>
    public double Overprovisioning { get; init; } = 0.1;

    /// <summary>
    /// The load up to which a server accepts bins, as a share of the load at which the model predicts a violation. Above 0, at most 1. Default: 0.95;
    /// the paper's policy fills to 1.
    /// </summary>
    public double FillLimit { get; init; } = 0.95;

    /// <summary>
    /// The bin that an overloaded server gives away first. Default: <see cref="BinChoice.SmallestSufficient"/>; the paper's is
    /// <see cref="BinChoice.Hottest"/>.
    /// </summary>
    public BinChoice Choice { get; init; } = BinChoice.SmallestSufficient;

    /// <summary>
    /// The time at which underloaded servers are emptied. Default: <see cref="CoalesceKind.WholeServers"/>; the paper's is
    /// <see cref="CoalesceKind.BinByBin"/>.
    /// </summary>
    public CoalesceKind Coalesce { get; init; } = CoalesceKind.WholeServers;

    /// <summary>The least number of empty servers that are kept ready. From 0 to 1,000. Default: 1; the paper keeps 2.</summary>
    public int Standbys { get; init; } = 1;

    /// <summary>
    /// The steepest growth of the whole load that empty servers absorb until new servers have booted, as a share of the load per minute. A Director that has
    /// just started keeps enough of them for this growth, later for the steepest growth that the load has shown. From 0 to 10. Default: 0.2 (the paper's
    /// §6.2: twice the load in 5 min); the paper's policy has 0.
    /// </summary>
    public double Surge { get; init; } = 0.2;

    /// <summary>The time after which a growth that the load has shown counts half for the empty servers. Above 0. Default: 3 h.</summary>
    public TimeSpan SurgeMemory { get; init; } = TimeSpan.FromHours(3);

    /// <summary>
    /// The time that a load has to be gone before servers and replicas go. The rest has to have room for the highest load of this time. At least 0. Default:
    /// 10 min; the paper's policy has 0.
    /// </summary>
    public TimeSpan Dwell { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>The time a new server takes to boot. At least 0. Default: 3 min (the paper's table 1).</summary>
    public TimeSpan BootTime { get; init; } = TimeSpan.FromMinutes(3);

    /// <summary>The paid interval: a server is paid for a whole number of these. Above 0. Default: 1 h (the paper's table 1).</summary>
    public TimeSpan ChargeInterval { get; init; } = TimeSpan.FromHours(1);

    /// <summary>The rate that a copy asks for, in bytes per second. Above 0. Default: 4 MB/s (the paper's).</summary>
    public double CopyRate { get; init; } = 4e6;

    /// <summary>
    /// The longest expected duration of one copy action. A longer copy of several bins is split into several actions. Above 0. Default: 20 s.
    /// </summary>
    public TimeSpan LongestAction { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>
    /// A copy that runs longer than this, and twice the time of its bytes at <see cref="CopyRate"/>, is canceled and planned anew. So is a copy that has not begun
    /// after that time. The next copy of the same bin gets twice the time. Above 0. Default: 2 min.
    /// </summary>
    public TimeSpan CancelAfter { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>
    /// The number of periods without a report after which a server counts as silent. A silent server is reported as a finding; it gets no bins, and is not
    /// emptied. Reports older than this number of periods are ignored. At least 1. Default: 2.
    /// </summary>
    public int SilentAfter { get; init; } = 2;

    /// <summary>The least number of replicas of a bin. From 1 to 16. Default: 2 (the paper's).</summary>
    public int LeastReplicas { get; init; } = 2;

    /// <summary>
    /// The number of replicas that one read is sent to; the first answer counts (the paper's §3.3). From 1 to
    /// <see cref="LeastReplicas"/>. Default: 2.
    /// </summary>
    public int ReadFanOut { get; init; } = 2;

    /// <summary>The least number of leased servers. At least 1. Default: 1.</summary>
    public int LeastServers { get; init; } = 1;

    /// <summary>The largest number of leased servers: the budget. At least <see cref="LeastServers"/>. Default: 10,000.</summary>
    public int MostServers { get; init; } = 10_000;

    /// <summary>The largest number of leases in one plan. At least 1. Default: 10.</summary>
    public int MostLeases { get; init; } = 10;

    /// <summary>The largest number of bins that one plan moves or copies. At least 1. Default: 200.</summary>
    public int MostMoves { get; init; } = 200;

    /// <summary>The budget of leases in an hour. At least 1. Default: no bound.</summary>
    public int MostLeasesPerHour { get; init; } = int.MaxValue;

    /// <summary>The budget of cost: the highest price of all leased servers for an hour, in the currency of the types' prices. Above 0. Default: no bound.</summary>
    public double MostCostPerHour { get; init; } = double.MaxValue;

    /// <summary>
    /// The share of reads that the objective allows to be slow. The Director compares it with <see cref="Layouts.ClusterObservation.SlowShare"/>. Above 0, below
    /// 1. Default: 0.01.
    /// </summary>
    public double SlowBudget { get; init; } = 0.01;

    /// <summary>The paper's policy (§5.7).</summary>
    /// <param name="overprovisioning">The paper's experiments use 0.1 and 0.3.</param>
    /// <returns>The policy.</returns>
    public static DirectorPolicy Paper(double overprovisioning = 0.1) => new()
    {
        Forecast = ForecastKind.Smoothing,
        Overprovisioning = overprovisioning,
        FillLimit = 1,
        Choice = BinChoice.Hottest,
        Coalesce = CoalesceKind.BinByBin,
        Standbys = 2,
        Surge = 0,
        Dwell = TimeSpan.Zero,
    };

    /// <summary>Checks every parameter.</summary>
    /// <exception cref="InvalidPolicyException">A parameter is out of range; the message names it and the range.</exception>
    public void Check()
    {
        CheckTime(nameof(Period), Period);
        CheckTime(nameof(ChargeInterval), ChargeInterval);
        CheckTime(nameof(LongestAction), LongestAction);
        CheckTime(nameof(CancelAfter), CancelAfter);
        Range.Check(nameof(BootTime), BootTime.TotalSeconds, 0, TimeSpan.FromDays(30).TotalSeconds);
        CheckTime(nameof(SurgeMemory), SurgeMemory);
        Range.Check(nameof(Dwell), Dwell.TotalSeconds, 0, TimeSpan.FromDays(30).TotalSeconds);
        Range.Check(nameof(AlphaUp), AlphaUp, double.Epsilon, 1);
        Range.Check(nameof(AlphaDown), AlphaDown, double.Epsilon, 1);
        Range.Check(nameof(Overprovisioning), Overprovisioning, 0, 4);
        Range.Check(nameof(FillLimit), FillLimit, double.Epsilon, 1);
        Range.Check(nameof(Standbys), Standbys, 0, 1_000);
        Range.Check(nameof(Surge), Surge, 0, 10);
        Range.Check(nameof(CopyRate), CopyRate, double.Epsilon, double.MaxValue);
        Range.Check(nameof(SilentAfter), SilentAfter, 1, int.MaxValue);
        Range.Check(nameof(LeastReplicas), LeastReplicas, 1, 16);
        Range.Check(nameof(ReadFanOut), ReadFanOut, 1, LeastReplicas);
        Range.Check(nameof(LeastServers), LeastServers, 1, int.MaxValue);
        Range.Check(nameof(MostServers), MostServers, LeastServers, int.MaxValue);
        Range.Check(nameof(MostLeases), MostLeases, 1, int.MaxValue);
        Range.Check(nameof(MostMoves), MostMoves, 1, int.MaxValue);
        Range.Check(nameof(MostLeasesPerHour), MostLeasesPerHour, 1, int.MaxValue);
        Range.Check(nameof(MostCostPerHour), MostCostPerHour, double.Epsilon, double.MaxValue);
        Range.Check(nameof(SlowBudget), SlowBudget, double.Epsilon, 1);
    }

    private static void CheckTime(string name, TimeSpan time)
    {
        if (time <= TimeSpan.Zero || time > TimeSpan.FromDays(30))
            throw new InvalidPolicyException($"{name} is {time}; it has to be above 0 and at most 30 days.");
    }
}
