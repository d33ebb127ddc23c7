using Stout.Argon.Engine;
using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Figures;

/// <summary>A seeded mix of 2 to 8 services on one of the device models, with one of five values of R (<c>ArgonOptions.Insulation</c>).</summary>
internal static class RandomMix
{
    private const int Cloud = 2;
    private const int Flash = 3;
    private static readonly double[] s_insulations = [0.5, 0.7, 0.8, 0.9, 0.95];

    /// <param name="seed">Chooses the mix.</param>
    /// <param name="length">Multiplies all times of the run. At 1 the run simulates 620 s, five times as much on a rotating disk with R = 0.95, and 12.4 s
    /// on flash.</param>
    public static MixFigure Of(int seed, double length = 1)
    {
        var random = new Random(seed);
        var device = random.Next(4);
        var insulation = s_insulations[random.Next(s_insulations.Length)];
        var services = Enumerable.Range(0, random.Next(2, 9)).Select(i => Service(random, i)).ToList();
        // Flash answers about a hundred times as many requests per second as the other devices, so its runs are shorter. On a rotating disk with R = 0.95, runs
        // are longer, since a round of quanta takes half a minute.
        var unit = TimeSpan.FromSeconds(length * (device == Flash ? 0.02 : insulation > 0.9 && device != Cloud ? 5 : 1));
        var server = PaperFigures.Server with
        {
            Settings = PaperFigures.Server.Settings with { Insulation = insulation, Trial = 100 * unit },
            Disks = [Device(device)],
            WarmUp = 220 * unit,
            Measured = 400 * unit,
            Seed = seed,
        };
        return new MixFigure($"mix-{seed}", $"Mix {seed} on {server.Disks[0]().Name}, R = {insulation}", "none", server, services);
    }

    private static Func<IDeviceModel> Device(int device) => device switch
    {
        0 => () => new RotatingDisk(DriveData.Paper),
        1 => () => new RotatingDisk(DriveData.Modern),
        Cloud => () => new CloudDisk(500, 100e6),
        _ => () => new FlashDisk(),
    };

    private static SimulatedService Service(Random random, int i)
    {
        var weight = random.Next(1, 9);
        var inFlight = random.Next(2) == 0 ? 1 : random.Next(2, 28);
        var used = random.Next(100, 600);
        return random.Next(6) switch
        {
            0 or 1 => new($"{i} stream", () => new Streaming(PaperFigures.Blocks, 4)) { Weight = weight },
            2 => new($"{i} written stream", () => new Streaming(PaperFigures.Blocks, 4, write: true)) { Weight = weight, Reuses = true },
            3 => new($"{i} half cached", () => new NestedSets(PaperFigures.Blocks, used)) { Weight = weight, InFlight = inFlight, Reuses = true },
            4 => new($"{i} half written", () => new UniformlyRandom(PaperFigures.Blocks, PaperFigures.Blocks, writes: 0.5)) { Weight = weight, InFlight = inFlight, Reuses = true },
            _ => new($"{i} random", () => new NeverAgain(PaperFigures.Blocks)) { Weight = weight, InFlight = inFlight },
        };
    }
}
