using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Importing;

/// <summary>Makes a history of CSV files.</summary>
internal static class CsvHistories
{
    /// <summary>Reads files.</summary>
    /// <param name="files">The files; each tells of servers, of bins, or of the whole load.</param>
    /// <param name="isUtc">Whether times without a zone are UTC.</param>
    /// <param name="step">The length of a step in seconds; null takes the smallest difference of two times.</param>
    /// <exception cref="ImportException">A file can't be used.</exception>
    public static ServiceHistory Read(IReadOnlyList<FileInfo> files, bool isUtc, double? step)
    {
        var imports = files.Select(file => new CsvImport(file, isUtc)).ToList();
        var grid = Grids.Of([.. imports.Select(import => import.Times())], step, "the files");
        // A row's time is the beginning of its step.
        grid = grid with { Start = grid.Start + grid.Step };
        var assembler = new HistoryAssembler(grid, CsvImport.Labels with { BinLabel = imports.Exists(import => import.HasBins) ? "bin" : null });
        foreach (var import in imports)
        {
            var (latency, load, replicas, utilization) = import.Read(grid);
            if (latency is not null)
                assembler.TakeLatency(latency);
            if (load is not null)
                assembler.TakeLoad(load);
            if (replicas is not null)
                assembler.TakeReplicas(replicas);
            if (utilization is not null)
                assembler.TakeUtilization(utilization);
        }

        return assembler.Make();
    }
}
