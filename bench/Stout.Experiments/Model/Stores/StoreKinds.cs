namespace Stout.Experiments.Model.Stores;

/// <summary>The stores of the model.</summary>
internal static class StoreKinds
{
    // The cost of a batch in the paper's store, in milliseconds, and its scatter: calibrated on table 1 of the paper alone. `PerRequestInFigure8` is calibrated
    // on figure 8.
    private const double PerRequest = 0.547;
    private const double PerRequestInFigure8 = 0.70;
    private const double PerOperation = 0.18;
    private const double Spread = 0.3;

    private const int Workers = 8;

    // The mean of 1 + 2.5 e^0.9z with z normal: the mean factor of service times that vary.
    private const double MeanOfVarying = 4.75;

    /// <summary>The paper's store.</summary>
    public static StoreKind One { get; } = new()
    {
        Name = "one",
        Description = "Four servers, each first come first served; a batch of n takes 0.547 + 0.18 n ms ± 30 %: the paper's SQL Server by its table 1",
        Loads = [6_000, 12_000, 18_000, 24_000, 30_000, 36_000, 41_000],
        Bottleneck = new(PerRequest, PerOperation),
        Make = static (random, speed, _) => new Servers(1, ServiceTime.Linear(PerRequest, PerOperation, Spread, random), speed),
    };

    /// <summary>The paper's store as its figures 8 to 11 show it: the fixed cost of a batch is higher than in table 1.</summary>
    public static StoreKind Figure8 { get; } = One with
    {
        Name = "figure8",
        Description = "As one, but a batch of n takes 0.70 + 0.18 n ms: the paper's SQL Server by the best intervals of its figure 8",
        Bottleneck = new(PerRequestInFigure8, PerOperation),
        Make = static (random, speed, _) => new Servers(1, ServiceTime.Linear(PerRequestInFigure8, PerOperation, Spread, random), speed),
    };

    /// <summary>The same capacity as <see cref="One"/>: eight workers for each partition, each eight times slower.</summary>
    public static StoreKind Workers8 { get; } = new()
    {
        Name = "workers8",
        Description = "The same capacity in eight workers per partition, each eight times slower",
        Loads = [6_000, 12_000, 18_000, 24_000, 30_000, 36_000],
        Bottleneck = new(PerRequest, PerOperation),
        Make = static (random, speed, _) =>
            new Servers(Workers, ServiceTime.Linear(Workers * PerRequest, Workers * PerOperation, Spread, random), speed),
    };

    /// <summary>A store in which all waiting batches share one flush of the log.</summary>
    public static StoreKind GroupCommit { get; } = new()
    {
        Name = "groupcommit",
        Description = "A batch of n takes 0.08 + 0.025 n ms of a processor; all that wait share one log flush of 8 ms",
        Loads = [6_000, 24_000, 48_000, 96_000, 160_000, 240_000],
        Bottleneck = new(0.08, 0.025),
        Make = static (random, speed, _) =>
            new GroupCommit(ServiceTime.Linear(0.08, 0.025, Spread, random), TimeSpan.FromMilliseconds(8), speed),
    };

    /// <summary>A store in which equal requests take very different times.</summary>
    public static StoreKind Varying { get; } = One with
    {
        Name = "varying",
        Description = "As one, but a batch of n takes (0.1 + 0.04 n) × (1 + 2.5 e^0.9z) ms, z normal and half remembered: in the mean 4.75 times the least",
        Bottleneck = new(MeanOfVarying * 0.1, MeanOfVarying * 0.04),
        Make = static (random, speed, _) => new Servers(1, ServiceTime.Varying(0.1, 0.04, random), speed),
    };

    /// <summary>PostgreSQL with <c>commit_delay</c>.</summary>
    public static StoreKind CommitDelay { get; } = One with
    {
        Name = "commitdelay",
        Description = "A batch of n takes 0.1 + 0.02 n ms of a processor and shares a log flush of 1.5 ms, which waits 8 ms for company: PostgreSQL with commit_delay",
        Loads = [6_000, 24_000, 48_000, 96_000, 160_000],
        Bottleneck = new(0.1, 0.02),
        Make = static (random, speed, _) =>
            new CommitDelay(ServiceTime.Linear(0.1, 0.02, Spread, random), TimeSpan.FromMilliseconds(8), TimeSpan.FromMilliseconds(1.5), speed),
    };

    /// <summary>A store that refuses operations beyond a rate.</summary>
    public static StoreKind RateCap { get; } = new()
    {
        Name = "ratecap",
        Description = "Refuses beyond 3,000 operations/s per partition, with retry-after; one second's allowance can be saved up; 5 ms otherwise",
        Loads = [6_000, 12_000, 18_000, 24_000, 28_800],
        Make = static (random, speed, _) => new RateCap(3_000, ServiceTime.Linear(5, 0, Spread, random), speed),
    };

    /// <summary>A store like the paper's PacificA.</summary>
    public static StoreKind PacificA { get; } = new()
    {
        Name = "pacifica",
        Description = "Three partitions on a log: a batch of n takes 0.5 + 0.15 n ms ± 30 %, and every 8,000 operations compaction stops all for 150 ms",
        Partitions = 3,
        Loads = [5_000, 10_000, 15_000, 20_000, 22_200, 25_000],
        Bottleneck = new(0.5, 0.15 + (150.0 / 8_000)),
        Pauses = true,
        Make = static (random, speed, _) =>
            new CompactedLog(ServiceTime.Linear(0.5, 0.15, Spread, random), 8_000, TimeSpan.FromMilliseconds(150), speed),
    };

    /// <summary>A store without batches and without pipelining.</summary>
    public static StoreKind NoBatch { get; } = new()
    {
        Name = "nobatch",
        Description = "One operation after the other on each connection, 10 ms ± 30 % each: no batches, no pipelining",
        MaxBatchKeys = 1,
        Loads = [1_000, 3_000, 6_000],
        Make = static (random, speed, connections) => new SerialConnections(connections, ServiceTime.Linear(10, 0, Spread, random), speed),
    };

    public static IReadOnlyList<StoreKind> All { get; } = [One, Figure8, Workers8, GroupCommit, Varying, CommitDelay, RateCap, PacificA, NoBatch];

    public static StoreKind? Find(string name) => All.FirstOrDefault(kind => kind.Name == name);
}
