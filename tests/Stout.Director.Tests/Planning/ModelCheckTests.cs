using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Planning;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Training;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tests.Planning;

public sealed class ModelCheckTests
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(20);

    [Fact]
    public void A_model_that_is_wrong_by_one_and_a_half_is_told_within_5_periods_and_corrected()
    {
        // The Director's model knows requests at two thirds of what they cost.
        var truth = TrainedModels.SmallInstance;
        var steady = truth.Type.SteadyState;
        var believed = truth.Type with { Memory = 800_000_000, SteadyState = steady with { CostOfGet = steady.CostOfGet / 1.5, CostOfPut = steady.CostOfPut / 1.5 } };
        var workload = new SteadyWorkload(20_000, Shares.Zipf(100, 400_000, exponent: 0.5)) { Length = TimeSpan.FromMinutes(60) };
        var policy = DirectorPolicy.Default with { Surge = 0, BootTime = TimeSpan.FromMinutes(1) };
        var result = SimulationRun.Run(
            new SimulationSettings
            {
                Cluster = new ClusterSetup
                {
                    Physics = new Dictionary<string, ServerPhysics> { [believed.Name] = ServerPhysics.SmallInstance },
                    BinBytes = [.. Enumerable.Repeat(1_000_000L, 100)],
                    BootTime = policy.BootTime,
                    ReadFanOut = 2,
                },
                Workload = workload,
                ChargeInterval = policy.ChargeInterval,
                Mode = SimulationMode.Flow,
                Models = new Dictionary<string, Stout.Director.Models.ModelFile> { [believed.Name] = truth },
                Controller = cluster => new DirectorController(new DirectorSettings(policy, [believed], 100), cluster, TimeSpan.Zero),
                FirstType = believed.Name,
                FirstServers = 5,
                Warmup = TimeSpan.Zero,
            },
            cancellationToken: TestContext.Current.CancellationToken);

        var told = result.Decisions.First(decision => decision.Findings.Any(finding => finding.Kind == FindingKind.ModelMismatch));
        Assert.True(told.At <= Period * 5, $"told at {told.At}");
        Assert.InRange(result.SlowShares(TimeSpan.FromMinutes(1)).Take(30).Count(share => share > 0.01), 1, 20);
        Assert.All(result.SlowShares(TimeSpan.FromMinutes(1)).Skip(30), share => Assert.True(share <= 0.01, $"{share}"));
    }

    [Fact]
    public void Slow_reads_that_an_overload_or_copies_explain_are_no_error_of_the_model()
    {
        var check = new ModelCheck(DirectorPolicy.Default);
        for (var plan = 1; plan < 100; plan++)
        {
            Assert.Null(check.Add(Period * plan, 0.05, highest: 1.1, isDisturbed: false));
            Assert.Null(check.Add(Period * plan, 0.05, highest: 0.9, isDisturbed: true));
            Assert.Null(check.Add(Period * plan, 0.009, highest: 0.9, isDisturbed: false));
            Assert.Null(check.Add(Period * plan, null, highest: 0.9, isDisturbed: false));
        }
    }

    [Fact]
    public void A_cause_other_than_load_never_doubles_the_cluster_and_is_forgotten()
    {
        var check = new ModelCheck(DirectorPolicy.Default);
        var plan = 0;
        for (; plan < 100; plan++)
            Assert.InRange(Correction(0.5), 1, 2);
        Assert.Equal(2, check.Correction);
        for (; plan < 100 + (24 * 180); plan++)
            Correction(0.0001);
        Assert.Equal(1, check.Correction);

        double Correction(double slow)
        {
            check.Add(Period * plan, slow, highest: 0.4, isDisturbed: false);
            return check.Correction;
        }
    }
}
