namespace Stout.Director.Tool.Histories;

/// <summary>
/// The recorded load, latency and servers of a service: the file that <c>import</c> writes, and that <c>model</c>, <c>backtest</c> and <c>whatif</c> read. All
/// series have the same equal steps.
/// </summary>
internal sealed record ServiceHistory
{
    /// <summary>The value of <see cref="Format"/>.</summary>
    public const string FormatName = "stout-director-history";

    /// <summary>The version that this tool writes and reads.</summary>
    public const int CurrentVersion = 1;

    /// <summary>The kind of file: <see cref="FormatName"/>.</summary>
    public string Format { get; init; } = FormatName;

    /// <summary>The version of the file's format.</summary>
    public int Version { get; init; } = CurrentVersion;

    /// <summary>The queries or files that the history comes from.</summary>
    public required IReadOnlyList<string> Sources { get; init; }

    /// <summary>The data that the sources lacked, as sentences.</summary>
    public IReadOnlyList<string> Lacks { get; init; } = [];

    /// <summary>The beginning of the first step, in UTC.</summary>
    public required DateTimeOffset Start { get; init; }

    /// <summary>The length of a step in seconds. From 1 to 86,400.</summary>
    public required double StepSeconds { get; init; }

    /// <summary>The number of steps.</summary>
    public required int Steps { get; init; }

    /// <summary>The upper bounds of the latency buckets in seconds, ascending. Empty where no latency was recorded.</summary>
    public required IReadOnlyList<double> Buckets { get; init; }

    /// <summary>The bins of the load. One bin whose load any server can take is a divisible load.</summary>
    public required IReadOnlyList<BinHistory> Bins { get; init; }

    /// <summary>The servers' visits and latency. Empty if the sources have no servers.</summary>
    public required IReadOnlyList<ServerHistory> Servers { get; init; }

    /// <summary>The number of servers in each step; NaN (in the file: null) where it is unknown.</summary>
    public required double[] Replicas { get; init; }

    /// <summary>The length of a step.</summary>
    [System.Text.Json.Serialization.JsonIgnore]
    public TimeSpan Step => TimeSpan.FromSeconds(StepSeconds);

    /// <summary>The end of the last step, in UTC.</summary>
    [System.Text.Json.Serialization.JsonIgnore]
    public DateTimeOffset End => Start + Step * Steps;

    /// <summary>Whether the whole load is one that every server can take a part of.</summary>
    [System.Text.Json.Serialization.JsonIgnore]
    public bool IsDivisible => Bins.Count == 1;

    /// <summary>The beginning of a step, in UTC.</summary>
    public DateTimeOffset At(int step) => Start + Step * step;

    /// <summary>Reads and writes per second of all bins in a step; NaN where a bin's load is unknown.</summary>
    public double Rate(int step) => Bins.Sum(bin => bin.Reads[step] + bin.Writes[step]);

    /// <summary>The runs of steps whose load is unknown.</summary>
    public IReadOnlyList<Gap> Gaps()
    {
        var gaps = new List<Gap>();
        for (var step = 0; step < Steps; step++)
        {
            if (double.IsFinite(Rate(step)))
                continue;
            var first = step;
            while (step + 1 < Steps && !double.IsFinite(Rate(step + 1)))
                step++;
            gaps.Add(new Gap(first, step - first + 1));
        }

        return gaps;
    }

    /// <summary>A part of the history.</summary>
    /// <param name="first">The first step.</param>
    /// <param name="count">The number of steps.</param>
    public ServiceHistory Slice(int first, int count)
    {
        T[] Cut<T>(T[] values) => values.AsSpan(first, count).ToArray();
        return this with
        {
            Start = At(first),
            Steps = count,
            Bins = [.. Bins.Select(bin => bin with { Reads = Cut(bin.Reads), Writes = Cut(bin.Writes) })],
            Servers = [.. Servers.Select(server => server with
            {
                Count = server.Count is { } counts ? Cut(counts) : null,
                Reads = Cut(server.Reads),
                Writes = Cut(server.Writes),
                Latency = server.Latency is { } latency ? Cut(latency) : null,
                Utilization = server.Utilization is { } utilization ? Cut(utilization) : null,
            })],
            Replicas = Cut(Replicas),
        };
    }
}
