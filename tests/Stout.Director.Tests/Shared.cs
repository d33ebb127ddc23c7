using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tests;

/// <summary>Data in the folder shared next to the checkout, since they are too large for the repository.</summary>
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

    /// <summary>The requests of the 1998 World Cup's site. If the file is missing, the test is skipped.</summary>
    public static LoadTrace WorldCup()
    {
        Assert.SkipWhen(Trace.Value is null, "shared/data/load/worldcup98.csv.gz lies nowhere above the tests.");
        return Trace.Value!;
    }
}
