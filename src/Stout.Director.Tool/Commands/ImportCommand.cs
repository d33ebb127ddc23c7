using System.CommandLine;
using System.Globalization;
using Stout.Director.Tool.Histories;
using Stout.Director.Tool.Importing;

namespace Stout.Director.Tool.Commands;

/// <summary><c>import</c>: makes a history from Prometheus or from CSV files.</summary>
internal static class ImportCommand
{
    private static readonly Option<FileInfo> Out = new("--out") { Description = "The history to write: JSON, gzipped if the name ends in .gz", HelpName = "FILE", Required = true };
    private static readonly Option<string?> Prometheus = new("--prometheus") { Description = "The address of a Prometheus server, as http://localhost:9090", HelpName = "URL" };
    private static readonly Option<string[]> Header = new("--header") { Description = "A header for the server, as \"Authorization: Bearer …\"", HelpName = "NAME: VALUE" };
    private static readonly Option<string> Last = new("--last") { Description = "The length of the time to import", HelpName = "DURATION", DefaultValueFactory = _ => "7d" };
    private static readonly Option<string?> To = new("--to") { Description = "The end of the time to import, in UTC if it has no zone (by default now)", HelpName = "TIME" };
    private static readonly Option<string?> Step = new("--step") { Description = "The length of a step (by default 1m of a server, and that of the samples in files)", HelpName = "DURATION" };
    private static readonly Option<string> Metric = new("--metric") { Description = "The histogram of request latency in seconds, without _bucket", HelpName = "NAME", DefaultValueFactory = _ => "http_server_request_duration_seconds" };
    private static readonly Option<string> Select = new("--select") { Description = "Label matchers of the service, as job=\"documents\"", HelpName = "MATCHERS", DefaultValueFactory = _ => "" };
    private static readonly Option<string> ServerLabel = new("--server-label") { Description = "The label that names a server", HelpName = "LABEL", DefaultValueFactory = _ => "instance" };
    private static readonly Option<string> MethodLabel = new("--method-label") { Description = "The label of HTTP methods: GET, HEAD, OPTIONS and QUERY are reads, others writes", HelpName = "LABEL", DefaultValueFactory = _ => "http_request_method" };
    private static readonly Option<string?> BinLabel = new("--bin-label") { Description = "The label whose values are bins: parts of the load that live on certain servers. By default every server can take every request", HelpName = "LABEL" };
    private static readonly Option<bool> AllReads = new("--all-reads") { Description = "Count every request as a read: the objective then covers all requests" };
    private static readonly Option<string?> Latency = new("--latency") { Description = "Another query for the rates of latency buckets by server, or @FILE with a JSON answer", HelpName = "QUERY|@FILE" };
    private static readonly Option<string?> Load = new("--load") { Description = "A query for the rates of requests by bin, or @FILE", HelpName = "QUERY|@FILE" };
    private static readonly Option<string?> Replicas = new("--replicas") { Description = "A query for the number of servers, as count(up{job=\"documents\"} == 1), or @FILE", HelpName = "QUERY|@FILE" };
    private static readonly Option<string?> Utilization = new("--utilization") { Description = "A query for the processor's utilization by server, from 0 to 1, or @FILE", HelpName = "QUERY|@FILE" };
    private static readonly Option<bool> Counters = new("--counters") { Description = "The files hold counters instead of rates" };
    private static readonly Option<FileInfo[]> Csv = new("--csv") { Description = "CSV files with the columns time, reads and, where known, server, bin, writes, servers, utilization, and thresholds in ms with shares of slower reads", HelpName = "FILE", AllowMultipleArgumentsPerToken = true };
    private static readonly Option<bool> Utc = new("--utc") { Description = "Times without a zone in CSV files are UTC" };

    public static Command Create()
    {
        var command = new Command("import", "Make a history from the telemetry of a service.")
        {
            Out, Prometheus, Last, To, Step, Metric, Select, ServerLabel, MethodLabel, BinLabel, AllReads, Latency, Load, Replicas, Utilization, Counters, Csv, Utc, Header,
        };
        command.SetAction((arguments, cancellationToken) => RootCommands.GuardAsync(() => RunAsync(arguments, cancellationToken)));
        return command;
    }

    private static async Task RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var step = arguments.GetValue(Step) is { } text ? Durations.Parse(text, Step.Name).TotalSeconds : (double?)null;
        if (step is { } seconds && !HistoryChecks.IsStep(seconds))
            throw new OptionException("--step has to be from 1s to 1d.");
        var history = arguments.GetValue(Csv) is { Length: > 0 } files
            ? CsvHistories.Read(files, arguments.GetValue(Utc), step)
            : await FromPrometheusAsync(arguments, step, cancellationToken).ConfigureAwait(false);
        var file = arguments.GetRequiredValue(Out);
        HistoryFile.Write(file, history);
        foreach (var line in ImportReport.Of(history))
            Console.WriteLine(line);
        Console.WriteLine(file.FullName);
    }

    private static async Task<ServiceHistory> FromPrometheusAsync(ParseResult arguments, double? step, CancellationToken cancellationToken)
    {
        var settings = new ImportSettings(arguments.GetRequiredValue(ServerLabel), arguments.GetRequiredValue(MethodLabel), arguments.GetValue(BinLabel), arguments.GetValue(AllReads));
        var address = arguments.GetValue(Prometheus) is { } url ? ParseAddress(url) : null;
        using var server = address is null ? null : new PrometheusServer(address, [.. (arguments.GetValue(Header) ?? []).Select(ParseHeader)]);
        var (latency, load) = (Source.Parse(arguments.GetValue(Latency)), Source.Parse(arguments.GetValue(Load)));
        if (server is not null && latency is null && load is null)
            (latency, load) = DefaultQueries(arguments, settings, step ?? 60);
        if (latency is null && load is null)
            throw new OptionException("import needs --prometheus, --csv, or files for --latency or --load.");
        var import = new PrometheusImport(settings, server, arguments.GetValue(Counters))
        {
            Latency = latency,
            Load = load,
            Replicas = Source.Parse(arguments.GetValue(Replicas)),
            Utilization = Source.Parse(arguments.GetValue(Utilization)),
        };
        var grid = server is null ? import.FileGrid(step) : ServerGrid(arguments, step ?? 60);
        return await import.RunAsync(grid, cancellationToken).ConfigureAwait(false);
    }

    private static (Source Latency, Source? Load) DefaultQueries(ParseResult arguments, ImportSettings settings, double step)
    {
        string Rate(string by, string suffix) => FormattableString.Invariant(
            $"sum by ({by}, {settings.MethodLabel}) (rate({arguments.GetValue(Metric)}_{suffix}{{{arguments.GetValue(Select)}}}[{step:0.###}s]))");
        return (new Source(Rate("le, " + settings.ServerLabel, "bucket"), null), settings.BinLabel is { } bin ? new Source(Rate(bin, "count"), null) : null);
    }

    private static Grid ServerGrid(ParseResult arguments, double step)
    {
        var end = TimeProvider.System.GetUtcNow();
        if (arguments.GetValue(To) is { } text && !DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out end))
            throw new OptionException($"--to: \"{text}\" is not a time such as 2026-11-28T12:00:00Z.");
        var to = end.ToUnixTimeMilliseconds() / 1000.0;
        var steps = (int)Math.Round(Durations.Parse(arguments.GetRequiredValue(Last), Last.Name).TotalSeconds / step);
        if (steps is < 2 or > HistoryChecks.MostSteps)
            throw new OptionException(FormattableString.Invariant($"--last has {steps} steps of {step} s; 2 to {HistoryChecks.MostSteps:#,0} can be imported."));
        return new Grid((Math.Floor(to / step) - steps) * step, step, steps);
    }

    private static Uri ParseAddress(string text) => Uri.TryCreate(text, UriKind.Absolute, out var address) && (address.Scheme is "http" or "https")
        ? address
        : throw new OptionException($"--prometheus: \"{text}\" is not an address such as http://localhost:9090.");

    private static KeyValuePair<string, string> ParseHeader(string text) =>
        text.Split(':', 2) is [{ Length: > 0 } name, var value] ? new(name.Trim(), value.Trim()) : throw new OptionException("--header has to have the form NAME: VALUE.");
}
