using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Training;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Simulation.Scenarios;

/// <summary>Runs beyond the paper's experiments: noise, seasons, server types and size, all in flow mode.</summary>
internal static class BeyondScenarios
{
    /// <summary>The number of bins of all runs except <see cref="Sized"/>.</summary>
    public const int Bins = 200;

    private const double Capacity = 7_000;
    private const int Keys = 4_800_000;
    private const long BinBytes = Keys * 256L / Bins;
    private const long Memory = 800_000_000;

    /// <summary>24 h of 20,000 requests/s, after a warm-up of 1 h. The load of each bin varies by 10 % from one period of 20 s to the next.</summary>
    /// <param name="model">The trained model.</param>
    /// <param name="policy">The policy.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <returns>The run.</returns>
    public static SimulationSettings Steady(ModelFile model, DirectorPolicy policy, int seed)
    {
        var steady = new SteadyWorkload(20_000, Shares.Zipf(Bins, Keys, seed: seed)) { Length = TimeSpan.FromHours(24) };
        var noisy = new NoisyWorkload(steady, 0.1, TimeSpan.FromSeconds(20), seed) { Length = steady.Length };
        return Settings([model], noisy, policy, seed) with { Warmup = TimeSpan.FromHours(1) };
    }

    /// <summary>Seven similar days with a steep morning, a peak at noon and a smaller one in the evening. Each day differs a little in size and time.</summary>
    /// <param name="model">The trained model.</param>
    /// <param name="policy">The policy.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <param name="isFast">Whether the days run at 12 times the speed, with boot time, charge interval and data of the paper's diurnal experiment;
    /// else in real time.</param>
    /// <returns>The run.</returns>
    public static SimulationSettings SimilarDays(ModelFile model, DirectorPolicy policy, int seed, bool isFast = true)
    {
        var random = new Xoshiro((ulong)seed);
        var means = new List<double>();
        for (var day = 0; day < 7; day++)
        {
            var size = Math.Exp(0.03 * random.NextNormal());
            var shift = 5 / 60.0 * random.NextNormal();
            for (var step = 0; step < 288; step++)
                means.Add(DayShape(step / 12.0 + shift) * size * Math.Exp(0.01 * random.NextNormal()));
        }

        if (!isFast)
            return RealTime(model, means, policy, seed);
        policy = PaperScenarios.DiurnalPolicy(policy);
        return Settings([model], Scaled(means, TimeSpan.FromSeconds(25), seed), policy, seed, 512_000);
    }

    /// <summary>A load of 5-min means in real time, scaled to a peak of 12 servers.</summary>
    /// <param name="model">The trained model.</param>
    /// <param name="means">The means, in any unit.</param>
    /// <param name="policy">The policy.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <returns>The run.</returns>
    public static SimulationSettings RealTime(ModelFile model, IReadOnlyList<double> means, DirectorPolicy policy, int seed) => Settings([model], Scaled(means, TimeSpan.FromMinutes(5), seed), policy, seed);

    /// <summary>A load as it is: its own rates in real time, on as many servers of the model as it needs. Reads are judged by the model's objective.</summary>
    /// <param name="model">The trained model.</param>
    /// <param name="requests">The requests of each minute.</param>
    /// <param name="settings">The Director's settings, for <see cref="Bins"/> bins of 6 MB.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <param name="mode">Exact or flow.</param>
    /// <param name="recorder">Receives the Director's inputs; null records nothing.</param>
    /// <returns>The run.</returns>
    /// <exception cref="InvalidPolicyException">The load needs more servers at its beginning than the policy allows.</exception>
    public static SimulationSettings AsItIs(ModelFile model, IReadOnlyList<double> requests, DirectorSettings settings, int seed, SimulationMode mode, IDirectorRecorder? recorder = null)
    {
        var step = TimeSpan.FromMinutes(1);
        var workload = new TraceWorkload([.. requests.Select(count => count / step.TotalSeconds)], step, Shares.Zipf(Bins, Keys, seed: seed)) { Length = step * requests.Count };
        return Settings([model], workload, settings.Policy, seed, BinBytes, settings, recorder) with { Mode = mode };
    }

    /// <summary>
    /// A day in two hours with a choice of server types. <c>small</c> is the paper's server; <c>large</c> does twice the work of <c>small</c> at 1.8 times
    /// the price.
    /// </summary>
    /// <param name="means">Mean load of each 5 min of the day, in any unit.</param>
    /// <param name="types">The types that the pool has.</param>
    /// <param name="policy">The policy; boot time and charge interval are set to those of the paper's diurnal experiment.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <returns>The run.</returns>
    public static SimulationSettings Types(IReadOnlyList<double> means, IReadOnlyList<string> types, DirectorPolicy policy, int seed)
    {
        var small = TrainedModels.SmallInstance;
        var models = types.Select(type => type == "large"
            ? small with { Type = small.Type with { Name = type, Price = 1.8, SteadyState = Twice(small.Type.SteadyState) } }
            : small with { Type = small.Type with { Name = type } }).ToList();
        policy = PaperScenarios.DiurnalPolicy(policy);
        var physics = types.ToDictionary(type => type, type => type == "large" ? ServerPhysics.SmallInstance.Scaled(2) : ServerPhysics.SmallInstance);
        var settings = Settings(models, Scaled(means, TimeSpan.FromSeconds(25), seed), policy, seed, 512_000);
        return settings with { Cluster = settings.Cluster with { Physics = physics } };

        static SteadyStateModel Twice(SteadyStateModel model) => model with { CostOfGet = model.CostOfGet / 2, CostOfPut = model.CostOfPut / 2 };
    }

    /// <summary>A daily curve on a cluster of a given size.</summary>
    /// <param name="model">The trained model.</param>
    /// <param name="bins">The number of bins.</param>
    /// <param name="servers">The approximate number of servers that the peak needs.</param>
    /// <param name="length">The length of the run.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <returns>The run.</returns>
    public static SimulationSettings Sized(ModelFile model, int bins, int servers, TimeSpan length, int seed)
    {
        var steps = Math.Max(2, (int)(length / TimeSpan.FromMinutes(5)));
        var rates = Enumerable.Range(0, steps).Select(step => servers * Capacity / 2 / 1.2 * DayShape(step * 24.0 / steps)).ToList();
        var workload = new TraceWorkload(rates, TimeSpan.FromMinutes(5), Shares.Zipf(bins, bins * 20_000, exponent: 0.8, seed: seed)) { Length = length };
        return Settings([model], workload, DirectorPolicy.Default, seed);
    }

    // The load over a day, between about 0.3 and 1. A morning rise takes two hours; a peak at noon and a smaller one in the evening follow.
    private static double DayShape(double hour)
    {
        hour = (hour % 24 + 24) % 24;
        return 0.3 + 0.4 * Step(hour, 7, 2) + 0.3 * Math.Exp(-Math.Pow((hour - 12.5) / 0.7, 2)) + 0.2 * Math.Exp(-Math.Pow((hour - 20) / 1.5, 2)) - 0.4 * Step(hour, 22.5, 1.5);

        static double Step(double hour, double at, double width) => 1 / (1 + Math.Exp(-6 * (hour - at) / width));
    }

    private static TraceWorkload Scaled(IReadOnlyList<double> means, TimeSpan step, int seed)
    {
        var scale = 12 * Capacity / 2 / means.Max();
        return new TraceWorkload([.. means.Select(mean => mean * scale)], step, Shares.Zipf(Bins, Keys, seed: seed)) { Length = step * means.Count };
    }

    private static SimulationSettings Settings(List<ModelFile> models, Workload workload, DirectorPolicy policy, int seed, long binBytes = BinBytes, DirectorSettings? director = null, IDirectorRecorder? recorder = null)
    {
        director ??= new DirectorSettings(policy, [.. models.Select(model => model.Type with { Memory = Memory })], workload.Bins);
        var settings = DirectorScenario.Of(models, director, workload, [.. Enumerable.Repeat(binBytes, workload.Bins)], seed, recorder);
        return settings.FirstServers <= policy.MostServers
            ? settings
            : throw new InvalidPolicyException(FormattableString.Invariant($"The load needs {settings.FirstServers:#,0} servers of type {settings.FirstType} at its beginning; the policy allows {policy.MostServers:#,0}."));
    }
}
