using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Simulation.Scenarios;

/// <summary>The paper's two experiments (§6, table 1), with any policy.</summary>
public static class PaperScenarios
{
    private const int Bins = 200;
    private const int KeyBytes = 256;

    // The capacity of a server in requests per second (the paper's §5.4), by which the diurnal load is scaled.
    private const double Capacity = 7_000;
    private const int Peak = 12;
    private const double SpeedUp = 12;
    private const int Replicas = 2;
    private const long HotspotMemory = 800_000_000;
    private const long DiurnalMemory = 66_700_000;

    /// <summary>The hotspot (§6.2): an hour of 30,000 requests/s, to which one bin adds 30,000 more within 5 min.</summary>
    /// <param name="model">The trained model. Servers behave as it says; reads are judged by its objective.</param>
    /// <param name="policy">The policy; boot time and charge interval are set to the paper's.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <param name="mode">Exact or flow.</param>
    /// <param name="recorder">Receives the Director's inputs; null records nothing.</param>
    /// <returns>The run.</returns>
    public static SimulationSettings Hotspot(ModelFile model, DirectorPolicy policy, int seed, SimulationMode mode, IDirectorRecorder? recorder = null)
    {
        const double rate = 30_000;
        const int keys = 4_800_000;
        policy = HotspotPolicy(policy);
        // The seed chooses the bin of the hot key.
        var workload = new HotspotWorkload(rate, Shares.Zipf(Bins, keys, seed: seed), seed * 37 % Bins, rate, TimeSpan.FromMinutes(12), TimeSpan.FromMinutes(5)) { Length = TimeSpan.FromHours(1) };
        return Settings(model, HotspotMemory, keys, workload, policy, seed, mode, recorder);
    }

    /// <summary>The diurnal load (§6.3): a day in two hours.</summary>
    /// <param name="model">The trained model. Servers behave as it says; reads are judged by its objective.</param>
    /// <param name="means">Mean load of each 5 min of the day, in any unit; scaled to a peak of 12 servers.</param>
    /// <param name="policy">The policy; boot time and charge interval are set to the paper's.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <param name="mode">Exact or flow.</param>
    /// <param name="recorder">Receives the Director's inputs; null records nothing.</param>
    /// <returns>The run.</returns>
    public static SimulationSettings Diurnal(ModelFile model, IReadOnlyList<double> means, DirectorPolicy policy, int seed, SimulationMode mode, IDirectorRecorder? recorder = null)
    {
        const int keys = 400_000;
        policy = DiurnalPolicy(policy);
        var scale = Peak * Capacity / Replicas / means.Max();
        var rates = means.Select(mean => mean * scale).ToList();
        var step = TimeSpan.FromMinutes(5 / SpeedUp);
        var workload = new TraceWorkload(rates, step, Shares.Zipf(Bins, keys, seed: seed)) { Length = step * rates.Count };
        return Settings(model, DiurnalMemory, keys, workload, policy, seed, mode, recorder);
    }

    /// <summary>The Director's settings in one of the two experiments, which a recording of the experiment needs.</summary>
    /// <param name="model">The trained model. Servers behave as it says; reads are judged by its objective.</param>
    /// <param name="policy">The policy; boot time and charge interval are set to the paper's.</param>
    /// <param name="isHotspot">Whether the experiment is the hotspot; otherwise it is the diurnal load.</param>
    /// <returns>The settings.</returns>
    public static DirectorSettings Settings(ModelFile model, DirectorPolicy policy, bool isHotspot) => new(
        isHotspot ? HotspotPolicy(policy) : DiurnalPolicy(policy), [model.Type with { Memory = isHotspot ? HotspotMemory : DiurnalMemory }], Bins);

    /// <summary>
    /// The server units (servers × charge intervals) of the ideal allocation (§6.3): in each charge interval, as many servers as the interval's highest
    /// 5-min mean needs.
    /// </summary>
    /// <param name="means">Mean load of each 5 min of the day.</param>
    /// <returns>The units of the 24 charge intervals.</returns>
    public static int IdealUnits(IReadOnlyList<double> means) =>
        means.Chunk(means.Count / 24).Sum(chunk => (int)Math.Ceiling(Peak * chunk.Max() / means.Max() - 1e-9));

    private static DirectorPolicy HotspotPolicy(DirectorPolicy policy) => policy with { BootTime = TimeSpan.FromMinutes(3), ChargeInterval = TimeSpan.FromMinutes(60) };

    /// <summary>A policy in 12-fold time: the paper's boot time and charge interval, and a twelfth of the times that the policy remembers loads for.</summary>
    internal static DirectorPolicy DiurnalPolicy(DirectorPolicy policy) => policy with
    {
        BootTime = TimeSpan.FromSeconds(15),
        ChargeInterval = TimeSpan.FromMinutes(5),
        SurgeMemory = policy.SurgeMemory / SpeedUp,
        Dwell = policy.Dwell / SpeedUp,
    };

    private static SimulationSettings Settings(ModelFile model, long memory, int keys, Workload workload, DirectorPolicy policy, int seed, SimulationMode mode, IDirectorRecorder? recorder)
    {
        var director = new DirectorSettings(policy, [model.Type with { Memory = memory }], Bins);
        return DirectorScenario.Of([model], director, workload, [.. Enumerable.Repeat((long)keys * KeyBytes / Bins, Bins)], seed, recorder) with { Mode = mode };
    }
}
