using Stout.Director.Loads;
using Stout.Director.Models;
using Stout.Director.Simulation.Baselines;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Experiments.RandomLoads;

/// <summary>A load and its cluster, drawn at random: shape, size, mix, boot time, billing, server types and replicas.</summary>
internal sealed class DrawnLoad
{
    private const long Memory = 4_000_000_000;
    private const double PriceStep = 60;

    private readonly ServerType[] _types;
    private readonly ServerType _best;
    private readonly DrawnWorkload _workload;
    private readonly ClusterSetup _cluster;
    private readonly TimeSpan _charge;
    private readonly int _replicas;
    private readonly int _seed;
    private readonly double _peak;

    private DrawnLoad(int number, int seed)
    {
        var random = new Random(seed);
        (Number, _seed) = (number, seed);
        var shape = LoadShapes.Draw(number, random);
        Kind = shape.Kind;
        var bins = (int)Between(50, 150);
        _replicas = 1 + random.Next(3);
        var boot = TimeSpan.FromSeconds(Math.Round(Between(15, 300)));
        _charge = random.Next(3) switch { 0 => TimeSpan.FromSeconds(1), 1 => TimeSpan.FromMinutes(1), _ => TimeSpan.FromHours(1) };
        _types = [.. Types(1 + random.Next(3), random)];
        _best = _types.MinBy(type => type.Price * type.SteadyState.CostOfGet)!;
        var (servers, gets, exponent) = (Between(3, 25), 0.5 + (0.49 * random.NextDouble()), 0.2 + (0.7 * random.NextDouble()));
        var megabytes = Between(0.5, 8);
        // The rate at which servers of the first type are needed in the drawn number, at a factor of 1.
        var rate = servers / _types[0].SteadyState.Utilization(gets * FanOut, (1 - gets) * _replicas);
        _workload = new DrawnWorkload(rate, Shares.Zipf(bins, bins * 2_000, exponent, seed & 0xFFFF), shape, seed) { Length = Whole(shape.Length), GetShare = gets };
        _cluster = new ClusterSetup
        {
            Physics = _types.ToDictionary(type => type.Name, type => ServerPhysics.SmallInstance.Scaled(Speed(type))),
            BinBytes = [.. Enumerable.Repeat((long)(megabytes * 1e6), bins)],
            BootTime = boot,
            ReadFanOut = FanOut,
        };
        for (var at = 0.0; at < _workload.Length.TotalSeconds; at += PriceStep)
        {
            var need = Need(at, _best);
            _peak = Math.Max(_peak, need);
            IdealCost += need * _best.Price / _charge.TotalSeconds * PriceStep;
        }

        Description = FormattableString.Invariant(
            $"{shape.Description}; {servers:0.0} servers, peak {_peak:0.0}, {100 * gets:0} % gets, zipf {exponent:0.00}, {bins} bins of {megabytes:0.0} MB, {_replicas} replicas, boot {boot.TotalSeconds:0} s, billed by {_charge.TotalSeconds:0} s, {_types.Length} types ({string.Join(", ", _types.Select(type => FormattableString.Invariant($"{Speed(type):0} at {type.Price / _types[0].Price:0.00}")))})");

        double Between(double least, double most) => least * Math.Pow(most / least, random.NextDouble());
    }

    public int Number { get; }

    public string Kind { get; }

    public string Description { get; }

    /// <summary>The price of the load on servers that could be leased by the fraction and the minute, of the best type.</summary>
    public double IdealCost { get; }

    /// <summary>The percentile of the objective. One replica alone attains 90 % where two attain 99 %, at the same boundary.</summary>
    public double Percentile => _replicas == 1 ? 89.5 : 99;

    private int FanOut => Math.Min(2, _replicas);

    /// <summary>The load of a seed and a number: the same on every machine.</summary>
    public static DrawnLoad Draw(int seed, int number) => new(number, unchecked(seed + (number * (int)0x9E3779B1)) & int.MaxValue);

    /// <summary>The load under a Director.</summary>
    public SimulationSettings Under(DirectorPolicy policy)
    {
        policy = policy with { BootTime = _cluster.BootTime, ChargeInterval = _charge, LeastReplicas = _replicas, ReadFanOut = FanOut, SlowBudget = 1 - (Percentile / 100) };
        var director = new DirectorSettings(policy, _types, _workload.Bins);
        return Settings(Need(0, _best) * (1 + policy.Overprovisioning) / policy.FillLimit, cluster => new DirectorController(director, cluster, TimeSpan.Zero), policy.Forecast != ForecastKind.Smoothing);
    }

    /// <summary>The load under Kubernetes' autoscaler.</summary>
    public SimulationSettings UnderAutoscaler(double target)
    {
        var baseline = new BaselineSettings(BaselineKind.Hpa, _best) { Target = target, Seed = _seed, LeastServers = Math.Max(2, _replicas) };
        return Settings(Need(0, _best) / target, cluster => new BaselineController(baseline, cluster));
    }

    /// <summary>The load on as many servers as its peak needs at 70 %.</summary>
    public SimulationSettings OnStaticServers() =>
        Settings(_peak / 0.7, cluster => new BaselineController(new BaselineSettings(BaselineKind.Static, _best), cluster));

    private SimulationSettings Settings(double servers, Func<SimulatedCluster, IController> controller, bool reportsLatency = false) => new()
    {
        Cluster = _cluster with { ReportsLatency = reportsLatency },
        Workload = _workload,
        ChargeInterval = _charge,
        Prices = _types.ToDictionary(type => type.Name, type => type.Price),
        Mode = SimulationMode.Flow,
        Tick = TimeSpan.FromSeconds(5),
        Models = _types.ToDictionary(type => type.Name, type => TrainedModels.SmallInstance with { Type = type }),
        Controller = controller,
        FirstType = _best.Name,
        FirstServers = Math.Max(Math.Max(2, _replicas), (int)Math.Ceiling(servers - 1e-9)),
        FirstReplicas = _replicas,
        Warmup = TimeSpan.Zero,
        Seed = _seed,
    };

    private double Need(double at, ServerType type)
    {
        var rate = _workload.Rate(at);
        return type.SteadyState.Utilization(rate * _workload.GetShare * FanOut, rate * (1 - _workload.GetShare) * _replicas);
    }

    // Servers of speeds 1, 2 and 4; a larger one costs a little less or more for its work.
    private IEnumerable<ServerType> Types(int count, Random random)
    {
        var small = TrainedModels.SmallInstance.Type;
        for (var i = 0; i < count; i++)
        {
            var speed = 1 << i;
            yield return small with
            {
                Name = i switch { 0 => "small", 1 => "medium", _ => "large" },
                Price = _charge.TotalHours * speed * (i == 0 ? 1 : 0.75 + (0.4 * random.NextDouble())),
                Memory = Memory * speed,
                SteadyState = small.SteadyState with
                {
                    CostOfGet = small.SteadyState.CostOfGet / speed,
                    CostOfPut = small.SteadyState.CostOfPut / speed,
                    Trained = new LoadRange(small.SteadyState.Trained.MostGets * speed, small.SteadyState.Trained.MostPuts * speed),
                },
            };
        }
    }

    private static double Speed(ServerType type) => TrainedModels.SmallInstance.Type.SteadyState.CostOfGet / type.SteadyState.CostOfGet;

    private static TimeSpan Whole(TimeSpan length) => TimeSpan.FromMinutes(Math.Floor(length.TotalMinutes));
}
