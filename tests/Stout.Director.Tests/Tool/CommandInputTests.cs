using System.IO.Compression;
using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Training;
using Stout.Director.Simulation.Workloads;
using Stout.Director.Tool.Commands;

namespace Stout.Director.Tests.Tool;

/// <summary>Numbers and files that no command can use: each is an error of one line, and leaves no file.</summary>
public sealed class CommandInputTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-director-");

    [Theory]
    [InlineData("--speed", "-1")]
    [InlineData("--speed", "0")]
    [InlineData("--speed", "1e999")]
    [InlineData("--speed", "NaN")]
    [InlineData("--samples", "0")]
    [InlineData("--memory", "-1")]
    [InlineData("--memory", "NaN")]
    [InlineData("--price", "-1")]
    [InlineData("--price", "1e999")]
    [InlineData("--asked", "3")]
    public async Task Training_refuses_numbers_out_of_range(string option, string value)
    {
        Assert.Equal(1, await ToolRun.RunAsync("train", option, value, "--out", PathOf("model.json")));
        Assert.False(File.Exists(PathOf("model.json")));
    }

    [Theory]
    [InlineData("0,0,0.001", "0,0,0.2")]
    [InlineData("1e999,0,0.001", "500,10,0.2")]
    [InlineData("100,10,0.001", "500,1e999,0.2")]
    [InlineData("100,10,0.001", "", "500,10,0.2")]
    public async Task Training_refuses_telemetry_without_finite_load(params string[] rows)
    {
        await WriteAsync("telemetry.csv", ["gets,puts,slow", .. rows]);
        Assert.Equal(1, await ToolRun.RunAsync("train", "--telemetry", PathOf("telemetry.csv"), "--out", PathOf("model.json")));
    }

    [Fact]
    public async Task Empty_lines_at_the_end_of_telemetry_and_of_a_load_are_no_rows()
    {
        await WriteAsync("telemetry.csv", ["gets,puts,slow", "500,25,0.001", "800,40,0.008", "1200,60,0.06", "", " "]);
        Assert.Equal(0, await ToolRun.RunAsync("train", "--telemetry", PathOf("telemetry.csv"), "--out", PathOf("model.json")));
        await WriteAsync("load.csv", [.. Load(6_000, 6_000), "", " "]);
        Assert.Equal(0, await ToolRun.RunAsync("simulate", "--scenario", "load", "--load", PathOf("load.csv")));
    }

    [Fact]
    public async Task Copies_without_telemetry_are_refused() =>
        Assert.Equal(1, await ToolRun.RunAsync("train", "--copies", PathOf("copies.csv"), "--out", PathOf("model.json")));

    [Theory]
    [InlineData("1e300")]
    [InlineData("1e999")]
    [InlineData("NaN")]
    [InlineData("-1")]
    public async Task A_load_that_no_site_has_is_refused(string requests)
    {
        await WriteAsync("load.csv", ["minute,requests", "1998-06-21 00:00:00,60", $"1998-06-21 00:01:00,{requests}"]);
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--scenario", "load", "--load", PathOf("load.csv")));
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--scenario", "diurnal", "--load", PathOf("load.csv")));
    }

    [Fact]
    public async Task A_load_for_more_servers_than_the_policy_allows_is_refused()
    {
        await WriteAsync("load.csv", Load(1e11, 1e11));
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--scenario", "load", "--load", PathOf("load.csv")));
    }

    [Fact]
    public async Task A_day_without_requests_can_not_be_scaled_and_is_refused()
    {
        await WriteAsync("load.csv", Load([.. Enumerable.Repeat(0.0, 1_440)]));
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--scenario", "diurnal", "--load", PathOf("load.csv")));
    }

    [Fact]
    public async Task A_load_beside_the_hotspot_which_has_its_own_is_refused()
    {
        await WriteAsync("load.csv", Load(6_000, 6_000));
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--load", PathOf("load.csv")));
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--day", "1998-06-21"));
    }

    [Fact]
    public async Task Damaged_gzip_is_refused_by_each_command()
    {
        using var whole = new MemoryStream();
        await using (var gzip = new GZipStream(whole, CompressionLevel.Fastest, leaveOpen: true))
            gzip.Write(System.Text.Encoding.UTF8.GetBytes(string.Join('\n', Load([.. Enumerable.Repeat(6_000.0, 1_440)]))));
        var bytes = whole.ToArray();
        bytes[bytes.Length / 2] ^= 0xFF;
        bytes[^6] ^= 0xFF;
        await File.WriteAllBytesAsync(PathOf("load.csv.gz"), bytes, TestContext.Current.CancellationToken);
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--scenario", "load", "--load", PathOf("load.csv.gz")));
        await File.WriteAllTextAsync(PathOf("text.csv.gz"), "minute,requests", TestContext.Current.CancellationToken);
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--scenario", "load", "--load", PathOf("text.csv.gz")));
        Assert.Throws<LoadFileException>(() => LoadTrace.Read(PathOf("text.csv.gz")));
        Assert.Equal(1, await ToolRun.RunAsync("explain", "--recording", PathOf("load.csv.gz"), "--at", "0:01"));
        Assert.Equal(1, await ToolRun.RunAsync("whatif", "--recording", PathOf("load.csv.gz"), "--page", PathOf("page.html")));
    }

    [Theory]
    [InlineData("--price", "small=1e999")]
    [InlineData("--price", "small=-1")]
    [InlineData("--price", "m1.small=1")]
    [InlineData("--slo", "99 % of reads under 100 ms, over 10 min")]
    [InlineData("--slo", "99 % of reads under 100 ms, over 30 s")]
    public async Task Comparing_refuses_prices_and_intervals_that_the_recording_can_not_answer(string option, string value)
    {
        await RecordAsync();
        Assert.Equal(1, await ToolRun.RunAsync("whatif", "--recording", PathOf("short.rec"), "--page", PathOf("page.html"), option, value));
        Assert.False(File.Exists(PathOf("page.html")));
    }

    [Fact]
    public async Task Comparing_takes_the_recorded_server_types_by_default()
    {
        await RecordAsync();
        Assert.Equal(0, await ToolRun.RunAsync("whatif", "--recording", PathOf("short.rec"), "--price", "small=2", "--page", PathOf("page.html")));
        Assert.Contains("small (1,000 visits/s at 95/5, 2 an interval)", await File.ReadAllTextAsync(PathOf("page.html"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Two_model_files_of_one_type_are_refused()
    {
        await RecordAsync();
        await using (var stream = File.Create(PathOf("small.json")))
            TrainedModels.SmallInstance.Write(stream);
        Assert.Equal(1, await ToolRun.RunAsync("whatif", "--recording", PathOf("short.rec"), "--types", PathOf("small.json"), PathOf("small.json"), "--page", PathOf("page.html")));
    }

    [Theory]
    [InlineData("--within", "-1")]
    [InlineData("--within", "NaN")]
    [InlineData("--within", "1e300")]
    [InlineData("--bin", "2")]
    [InlineData("--bin", "-1")]
    public async Task Explaining_refuses_times_and_bins_that_do_not_exist(string option, string value)
    {
        await RecordAsync();
        Assert.Equal(1, await ToolRun.RunAsync("explain", "--recording", PathOf("short.rec"), "--at", "0:01", option, value));
    }

    [Theory]
    [InlineData("\"loads\": [", "\"loads\": [7, ")]
    [InlineData("\"saturation\": ", "\"saturation\": -")]
    [InlineData("\"thresholds\": [", "\"thresholds\": [5, ")]
    [InlineData("\"asked\": 2", "\"asked\": 0")]
    public async Task A_model_file_with_impossible_numbers_is_refused(string part, string other)
    {
        using var stream = new MemoryStream();
        TrainedModels.SmallInstance.Write(stream);
        var text = System.Text.Encoding.UTF8.GetString(stream.ToArray());
        Assert.Contains(part, text, StringComparison.Ordinal);
        await File.WriteAllTextAsync(PathOf("model.json"), text.Replace(part, other, StringComparison.Ordinal), TestContext.Current.CancellationToken);
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--model", PathOf("model.json")));
    }

    [Fact]
    public void A_damaged_line_within_a_recording_is_not_taken_for_its_end()
    {
        using var whole = new GZipStream(new MemoryStream(Record(4)), CompressionMode.Decompress);
        using var reader = new StreamReader(whole);
        var lines = reader.ReadToEnd().Split('\n');
        lines[3] = lines[3][..20];
        Assert.Throws<RecordingException>(() => Read(lines));
        Assert.False(Read(lines[..4]).IsWhole);

        static Recording Read(string[] lines)
        {
            using var stream = new MemoryStream();
            using (var gzip = new GZipStream(stream, CompressionLevel.Fastest, leaveOpen: true))
                gzip.Write(System.Text.Encoding.UTF8.GetBytes(string.Join('\n', lines)));
            stream.Position = 0;
            return Recording.Read(stream, acceptTruncated: true);
        }
    }

    [Fact]
    public void Progress_is_told_by_tenths_where_there_is_no_terminal()
    {
        using var writer = new StringWriter();
        var progress = new Progress.Lines("training", writer);
        foreach (var value in new[] { 0.05, 0.1, 0.12, 0.35, 0.35, 1 })
            progress.Report(value);
        Assert.Equal(["training: 10 %", "training: 30 %", "training: 100 %", ""], writer.ToString().ReplaceLineEndings("\n").Split('\n'));
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static string[] Load(params double[] requests) =>
        ["minute,requests", .. requests.Select((count, minute) => FormattableString.Invariant($"{new DateTime(1998, 6, 21).AddMinutes(minute):yyyy-MM-dd HH:mm:ss},{count}"))];

    // Two minutes of two bins on servers of type small.
    private Task RecordAsync() => File.WriteAllBytesAsync(PathOf("short.rec"), Record(6), TestContext.Current.CancellationToken);

    private static byte[] Record(int plans)
    {
        using var stream = new MemoryStream();
        using (var writer = new RecordingWriter(stream, Some.Settings(2)))
        {
            writer.Began(TimeSpan.Zero, 1, []);
            for (var plan = 1; plan <= plans; plan++)
                writer.Planned(TimeSpan.FromSeconds(20 * plan), Some.Cluster(2, [[1, 2], [1, 2]], [400, 400], sequence: plan));
        }

        return stream.ToArray();
    }

    private Task WriteAsync(string name, string[] lines) => File.WriteAllLinesAsync(PathOf(name), lines, TestContext.Current.CancellationToken);

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
