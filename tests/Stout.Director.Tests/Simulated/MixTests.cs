using Stout.Director.Recordings;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Training;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tests.Simulated;

/// <summary>Bins with mixes of their own: one is read, the other written, and the two change places.</summary>
public sealed class MixTests
{
    [Theory]
    [InlineData(SimulationMode.Flow)]
    [InlineData(SimulationMode.Exact)]
    public void Each_bin_has_its_own_mix_over_time(SimulationMode mode)
    {
        using var stream = new MemoryStream();
        var model = TrainedModels.SmallInstance;
        var director = new DirectorSettings(DirectorPolicy.Default with { Mode = DirectorMode.Observe }, [model.Type], 2);
        using (var writer = new RecordingWriter(stream, director))
        {
            var settings = new SimulationSettings
            {
                Cluster = new ClusterSetup
                {
                    Physics = new Dictionary<string, Stout.Director.Simulation.Physics.ServerPhysics> { [model.Type.Name] = model.Physics() },
                    BinBytes = [1, 1],
                    BootTime = TimeSpan.Zero,
                    ReadFanOut = 2,
                },
                Workload = new Swapped { Length = TimeSpan.FromSeconds(80) },
                ChargeInterval = TimeSpan.FromHours(1),
                Mode = mode,
                Models = new Dictionary<string, Stout.Director.Models.ModelFile> { [model.Type.Name] = model },
                Controller = cluster => new DirectorController(director, cluster, TimeSpan.Zero, writer),
                FirstType = model.Type.Name,
                FirstServers = 2,
                Warmup = TimeSpan.Zero,
            };
            SimulationRun.Run(settings, cancellationToken: TestContext.Current.CancellationToken);
        }

        stream.Position = 0;
        var workload = RecordedWorkload.Of(Recording.Read(stream));
        double[] mix = new double[2], later = new double[2];
        workload.FillGetShares(10, mix);
        workload.FillGetShares(70, later);
        Assert.Equal([1, 0], mix);
        Assert.Equal([0, 1], later);
        Assert.Equal(0.5, workload.GetShare, 0.05);
        Assert.NotEqual(workload.ShapeVersion(10), workload.ShapeVersion(70));
        Assert.Equal(300, workload.Total(10).Gets, 60.0);
        Assert.Equal(300, workload.Total(10).Puts, 60.0);
    }

    [Fact]
    public void Noise_leaves_the_mix_of_each_bin()
    {
        var noisy = new NoisyWorkload(new Swapped { Length = TimeSpan.FromSeconds(80) }, 0.5, TimeSpan.FromSeconds(20), 1) { Length = TimeSpan.FromSeconds(80) };
        var mix = new double[2];
        noisy.FillGetShares(10, mix);
        Assert.Equal([1, 0], mix);
    }

    private sealed class Swapped : Workload
    {
        public override int Bins => 2;

        public override double Rate(double seconds) => 600;

        public override long ShapeVersion(double seconds) => seconds < 40 ? 0 : 1;

        public override void FillShares(double seconds, Span<double> result) => result.Fill(0.5);

        public override void FillGetShares(double seconds, Span<double> result) => (result[0], result[1]) = seconds < 40 ? (1.0, 0.0) : (0.0, 1.0);
    }
}
