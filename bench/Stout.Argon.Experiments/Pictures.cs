using Stout.Argon.Caching;
using Stout.Argon.Engine;
using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Figures;
using Stout.Argon.Experiments.Simulation;
using Stout.Experiments.Output.Plots;

namespace Stout.Argon.Experiments;

/// <summary>The pictures of Argon's evaluation.</summary>
internal static class Pictures
{
    private const int FirstYear = 1990;
    private const int Points = 40;

    /// <summary>The access size that an insulation (R, <c>ArgonOptions.Insulation</c>) of 0.9 or 0.95 requires, by the year of the disk.</summary>
    public static Panel Ceilings()
    {
        var drives = DriveData.Table.Append(DriveData.Modern).ToList();
        PlotLine Line(double insulation) => new($"R = {insulation}", [.. drives.Select(drive => new PlotPoint(drive.Year - FirstYear, new RotatingDisk(drive).Cost.BytesFor(insulation) / 1e6))]);
        return new Panel("Access size by disk and year", $"years since {FirstYear}", "MB", true, [Line(0.9), Line(0.95)], []);
    }

    /// <summary>
    /// The fraction of references that a cache absorbs, by its size: for the recorded traces, and for the services of <see cref="PaperFigures.Four"/>.
    /// </summary>
    public static Panel Profiles()
    {
        (string Name, Func<IPattern> Pattern)[] services =
        [
            .. PaperFigures.OltpAndQuery.Services.Select(service => (service.Name, service.Pattern)),
            .. PaperFigures.Four.Services.Select(service => (service.Name, service.Pattern)),
        ];
        return new Panel("Profiles", "cache (MiB)", "absorbed fraction", false, [.. services.Select(service => new PlotLine(service.Name, Profile(service.Pattern())))], []);
    }

    /// <summary>The distributions of response times with and without insulation.</summary>
    public static Panel ResponseTimes(MixFigure figure, IReadOnlyList<MixRow> without, IReadOnlyList<MixRow> with)
    {
        var lines = figure.Services.SelectMany((service, i) => new[] { Line($"{service.Name}, un-insulated", without[i]), Line($"{service.Name}, insulated", with[i]) });
        return new Panel($"Response times: {figure.Title}", "response time (ms)", "fraction of requests", false, [.. lines.Where(line => line.Points.Count > 0)], []) { LogarithmicX = true };

        static PlotLine Line(string name, MixRow row)
        {
            var latencies = row.Together.Latencies;
            return new PlotLine(name, [.. Enumerable.Range(0, latencies.Count == 0 ? 0 : (2 * Points) + 1)
                .Select(i => i / (2.0 * Points))
                .Select(fraction => new PlotPoint(Math.Max(0.01, 1e3 * latencies[(int)(fraction * (latencies.Count - 1))]), fraction))]);
        }
    }

    private static IReadOnlyList<PlotPoint> Profile(IPattern pattern)
    {
        var (profile, random, flushes) = (LruProfile.Exact(), new Random(1), 0);
        const int References = 300_000;
        for (var count = 0; count < References;)
        {
            var operation = pattern.Next(random);
            flushes += operation.Kind == RequestKind.Flush ? 1 : 0;
            for (var i = 0; i < operation.Count; i++, count++)
                profile.Reference(BlockKey.Of(operation.Object, operation.First + i), operation.Kind == RequestKind.Write, flushes);
            if (operation.Kind == RequestKind.Flush)
                count++;
        }

        return [.. Enumerable.Range(0, Points + 1).Select(i => PaperFigures.Frames * i / Points).Select(blocks => new PlotPoint(blocks * (double)PaperFigures.BlockSize / (1 << 20), profile.Absorbed(blocks)))];
    }
}
