using System.Globalization;
using System.Text;
using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Figures;
using Stout.Experiments.Output.Plots;

namespace Stout.Argon.Experiments;

/// <summary>Builds the page of Argon's evaluation in Markdown. Each added section is also written to the console.</summary>
internal sealed class EvaluationPage
{
    private readonly StringBuilder _text = new();
    private readonly List<(string Name, Panel Panel)> _pictures = [];

    public EvaluationPage() => _text.Append("""
        # Performance insulation: the evaluation

        `dotnet run -c Release --project bench/Stout.Argon.Experiments -- --page docs/argon/evaluation.md` makes this page. The engine's own core runs over device models
        in virtual time, so every run gives the same figures. The engine calibrates each model over 48 MiB, as at the first start on an empty folder, and corrects the cost by the services' requests. A fraction is the throughput among others over the throughput alone on the same server. R is 0.9.
        The un-insulated server is the same engine with its mechanisms off: 128 KiB of prefetch, one shared LRU cache, requests issued as they come.

        *Promised* is R × the service's share. *Disk time* is the fraction of the time in which the disk worked for the insulated service. *Absorbed* is the fraction of
        references that the cache absorbed: read hits, and overwrites of dirty blocks. *Status, blocks* has the service's status, the blocks of its cache partition, and the least number of blocks that keeps the promise.

        The model of the paper's disk: 7,200 rpm, 8.5 ms, 63.5 MB/s, a queue of 32 requests, served by shortest positioning time; the cache has 256 MiB. Most numbers of our copy of the paper
        are lost. The values 27 requests against 1, 8 MB, 140 ms and 63.5 MB/s are our reconstructions.


        """);

    public string Text => _text.ToString();

    /// <summary>The pictures, with the names of their files without the extension.</summary>
    public IReadOnlyList<(string Name, Panel Panel)> Pictures => _pictures;

    public void Add(MixFigure figure)
    {
        var (without, with) = (figure.Uninsulated(), figure.Insulated());
        var text = new StringBuilder($"## {figure.Name}: {figure.Title}\nIn the paper, {figure.Paper}.\n\n| service | un-insulated | insulated | promised | disk time | absorbed: un-insulated, insulated, alone | status, blocks |\n|---|---|---|---|---|---|---|\n");
        for (var i = 0; i < figure.Services.Count; i++)
        {
            var (one, other) = (without[i], with[i]);
            text.Append(CultureInfo.InvariantCulture, $"| {figure.Services[i].Name} | {one.Fraction:0.000} | {other.Fraction:0.000} | {0.9 * figure.Share(i):0.000} | {other.Together.DiskTime:0.000} | {one.Together.Absorbed:0.00}, {other.Together.Absorbed:0.00}, {other.Alone.Absorbed:0.00} | {other.Together.Status}, {other.Together.Partition} (least {other.Together.Least}) |\n");
        }

        text.Append("\nThe next table has the response times in ms: mean, 95th and 99.9th percentile, maximum.\n\n| service | un-insulated | insulated |\n|---|---|---|\n");
        for (var i = 0; i < figure.Services.Count; i++)
            text.Append(CultureInfo.InvariantCulture, $"| {figure.Services[i].Name} | {Times(without[i].Together.Latencies)} | {Times(with[i].Together.Latencies)} |\n");
        Picture(text, figure.Name, Experiments.Pictures.ResponseTimes(figure, without, with));
        Append(text);
    }

    /// <summary>Adds one table for several figures.</summary>
    public void Add(IReadOnlyList<MixFigure> figures)
    {
        var text = new StringBuilder("## parallel: Disks without a seek\nServices share flash at once, and a cloud disk by quanta: the calibration of the models decides. Throughputs are fractions of those alone on the same kind of server. Two of one table may add up to more than 1, since one service alone does not use all channels.\n\n| figure | service | un-insulated | insulated | promised | insulated over un-insulated, requests/s | 99th percentile, ms: un-insulated, insulated, alone |\n|---|---|---|---|---|---|---|\n");
        foreach (var figure in figures)
        {
            var (without, with) = (figure.Uninsulated(), figure.Insulated());
            for (var i = 0; i < figure.Services.Count; i++)
            {
                var (one, other) = (without[i], with[i]);
                text.Append(CultureInfo.InvariantCulture, $"| {figure.Title} | {figure.Services[i].Name} | {one.Fraction:0.000} | {other.Fraction:0.000} | {0.9 * figure.Share(i):0.000} | {other.Together.Throughput / one.Together.Throughput:0.000} | {Percentile(one.Together.Latencies, 0.99):0.##}, {Percentile(other.Together.Latencies, 0.99):0.##}, {Percentile(other.Alone.Latencies, 0.99):0.##} |\n");
            }
        }

        Append(text);
    }

    public void Add(Sweep sweep)
    {
        var text = new StringBuilder($"## {sweep.Name}\nThe table has the fraction of share × throughput alone that the services keep: the least and the mean.\n\n| {sweep.Unit} | least | mean |\n|---|---|---|\n");
        foreach (var point in sweep.Run())
            text.Append(CultureInfo.InvariantCulture, $"| {point.Value:0.###} | {point.Fraction:0.000} | {point.Mean:0.000} |\n");
        text.Append(CultureInfo.InvariantCulture, $"\nThe engine computes {sweep.Computed(sweep.Figure.Server):0.00} {sweep.Unit}.\n");
        Append(text);
    }

    public void AddMechanisms(MixFigure figure)
    {
        var text = new StringBuilder($"## mechanisms: {figure.Title}, by mechanism\nThe table has each service's throughput as a fraction of its throughput alone with the same mechanisms, and its requests per second.\n\n| mechanisms | {string.Join(" | ", figure.Services.Select(service => $"{service.Name} | requests/s"))} |\n|---|{string.Concat(figure.Services.Select(_ => "---|---|"))}\n");
        foreach (var (name, set) in Mechanisms.All)
        {
            text.Append(CultureInfo.InvariantCulture, $"| {name} |");
            foreach (var row in Mechanisms.Run(figure, set))
                text.Append(CultureInfo.InvariantCulture, $" {row.Fraction:0.000} | {row.Together.Throughput:0} |");
            text.Append('\n');
        }

        Append(text);
    }

    public void AddCeilings()
    {
        var text = new StringBuilder("## ceiling: The access size for R = 0.9, by disk and year\nThe paper's table is lost in our copy. The first five drives match the paper's by maker and year; the numbers have not been checked against data sheets.\n\n| disk | year | positioning, ms | MB/s | efficiency at 8 KB | ceiling, MB |\n|---|---|---|---|---|---|\n");
        foreach (var drive in DriveData.Table.Append(DriveData.Modern))
        {
            var cost = new RotatingDisk(drive).Cost;
            text.Append(CultureInfo.InvariantCulture, $"| {drive.Name} | {drive.Year} | {cost.Positioning.TotalMilliseconds:0.00} | {cost.BytesPerSecond / 1e6:0.0} | {cost.Efficiency(8192):0.000} | {cost.BytesFor(0.9) / 1e6:0.0} |\n");
        }

        Picture(text, "ceiling", Experiments.Pictures.Ceilings());
        Append(text);
    }

    public void AddProfiles()
    {
        var text = new StringBuilder("## profiles: The absorbed fraction by cache size\nThe plot shows exact LRU profiles of 300,000 references. Read hits, and overwrites of blocks that are still dirty, count as absorbed.\n");
        Picture(text, "profiles", Experiments.Pictures.Profiles());
        Append(text);
    }

    private void Picture(StringBuilder text, string name, Panel panel)
    {
        _pictures.Add((name, panel));
        text.Append(CultureInfo.InvariantCulture, $"\n![{panel.Title}. {PanelPlot.Describe(panel)}](evaluation/{name}.svg)\n");
    }

    private void Append(StringBuilder text)
    {
        text.Append('\n');
        _text.Append(text);
        Console.Write(text);
    }

    private static string Times(IReadOnlyList<double> latencies)
    {
        if (latencies.Count == 0)
            return "none";
        return string.Create(CultureInfo.InvariantCulture, $"{1e3 * latencies.Average():0.##}, {Percentile(latencies, 0.95):0.##}, {Percentile(latencies, 0.999):0.##}, {1e3 * latencies[^1]:0.##}");
    }

    private static double Percentile(IReadOnlyList<double> latencies, double fraction) => 1e3 * latencies[Math.Min(latencies.Count - 1, (int)(fraction * latencies.Count))];
}
