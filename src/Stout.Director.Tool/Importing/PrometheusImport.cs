using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Importing;

/// <summary>Imports the answers of a Prometheus server, and files of such answers.</summary>
internal sealed class PrometheusImport(ImportSettings settings, PrometheusServer? server, bool areCounters)
{
    /// <summary>Requests by server, with their latency.</summary>
    public Source? Latency { get; init; }

    /// <summary>Requests by bin.</summary>
    public Source? Load { get; init; }

    /// <summary>The number of servers.</summary>
    public Source? Replicas { get; init; }

    /// <summary>The utilization of each server.</summary>
    public Source? Utilization { get; init; }

    private IEnumerable<Source> Sources => new[] { Latency, Load, Replicas, Utilization }.OfType<Source>();

    /// <summary>The steps of the files' samples.</summary>
    /// <param name="step">The length of a step in seconds; null takes the smallest difference of two samples.</param>
    /// <exception cref="ImportException">A file can't be used.</exception>
    public Grid FileGrid(double? step)
    {
        var times = Sources.Where(source => source.File is not null).Select(source => AnswerReader.Times(source.File!)).ToList();
        return Grids.Of(times, step, "the files");
    }

    /// <summary>Reads all sources.</summary>
    /// <exception cref="ImportException">A source can't be used.</exception>
    public async Task<ServiceHistory> RunAsync(Grid grid, CancellationToken cancellationToken)
    {
        var assembler = new HistoryAssembler(grid, settings);
        if (Latency is not null)
            assembler.TakeLatency(await SetAsync(Latency, grid, isRate: true, cancellationToken).ConfigureAwait(false));
        if (Load is not null)
            assembler.TakeLoad(await SetAsync(Load, grid, isRate: true, cancellationToken).ConfigureAwait(false));
        if (Replicas is not null)
            assembler.TakeReplicas(await SetAsync(Replicas, grid, isRate: false, cancellationToken).ConfigureAwait(false));
        if (Utilization is not null)
            assembler.TakeUtilization(await SetAsync(Utilization, grid, isRate: false, cancellationToken).ConfigureAwait(false));
        return assembler.Make();
    }

    private async Task<SeriesSet> SetAsync(Source source, Grid grid, bool isRate, CancellationToken cancellationToken)
    {
        if (source.Query is { } query)
        {
            return server is null
                ? throw new ImportException(query, "a query needs --prometheus. A file is written as @FILE.")
                : await server.AskAsync(query, grid, cancellationToken).ConfigureAwait(false);
        }

        var file = source.File!;
        var set = new SeriesSet(file.Name, grid);
        using (var stream = file.OpenRead())
            AnswerReader.ReadInto(set, stream, file.Name, areCounters || !isRate);
        if (set.All.Count == 0)
            throw AnswerReader.Empty(file.Name);
        if (areCounters && isRate)
            set.Differentiate();
        return set;
    }
}
