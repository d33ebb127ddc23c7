using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tests;

/// <summary>Data that lie in the folder shared beside the checkout, too large for it.</summary>
internal static class Shared
{
    private static readonly Lazy<LoadTrace?> Trace = new(() =>
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            var path = Path.Combine(folder.FullName, "shared", "data", "load", "worldcup98.csv.gz");
            if (File.Exists(path))
                return LoadTrace.Read(path);
        }

        return null;
    });

    /// <summary>The requests of the 1998 World Cup's site; skips the test where the file is missing.</summary>
    public static LoadTrace WorldCup()
    {
        Assert.SkipWhen(Trace.Value is null, "shared/data/load/worldcup98.csv.gz lies nowhere above the tests.");
        return Trace.Value!;
    }
}
