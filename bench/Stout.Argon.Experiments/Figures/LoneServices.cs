using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Figures;

/// <summary>Services with a server to themselves: the ratio of their throughput with insulation to that without.</summary>
internal static class LoneServices
{
    /// <summary>The cases. Calling <c>Ratio</c> runs a case with and without insulation, and returns the ratio.</summary>
    public static IReadOnlyList<(string Name, Func<double> Ratio)> All { get; } =
    [
        .. from device in new[] { ("paper", (Func<IDeviceModel>)(() => new RotatingDisk(DriveData.Paper))), ("cloud", () => new CloudDisk(500, 100e6)) }
           from service in new[]
           {
               PaperFigures.Uncached with { Name = "random" },
               PaperFigures.Uncached with { Name = "random, 27 in flight", InFlight = 27 },
               new("half cached", () => new NestedSets(PaperFigures.Blocks, 600)),
               new("half written", () => new UniformlyRandom(PaperFigures.Blocks, PaperFigures.Blocks, writes: 0.5)) { InFlight = 4 },
               PaperFigures.Stream,
           }
           select ($"{device.Item1}, {service.Name}", Ratio(device.Item2, service)),
    ];

    private static Func<double> Ratio(Func<IDeviceModel> device, SimulatedService service) => () =>
    {
        var server = PaperFigures.Server with { Disks = [device], Measured = TimeSpan.FromSeconds(120) };
        return SimulatedRun.Alone(server, service).Throughput / SimulatedRun.Alone(server.Uninsulated(), service).Throughput;
    };
}
