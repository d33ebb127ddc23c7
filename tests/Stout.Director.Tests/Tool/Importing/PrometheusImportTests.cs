using System.Net;
using System.Text;
using Stout.Director.Tool.Histories;
using Stout.Director.Tool.Importing;

namespace Stout.Director.Tests.Tool.Importing;

/// <summary>Answers of Prometheus: from Debian's server, from files, and from servers that answer something else.</summary>
public sealed class PrometheusImportTests : IDisposable
{
    private const double Start = 1_793_491_200;
    private static readonly ImportSettings Labels = new("instance", "http_request_method", null, AllReads: false);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-director-");

    [Fact]
    public async Task Prometheus_has_the_load_the_latency_and_a_gap()
    {
        // tests/servers/prometheus.sh writes these series.
        using var server = new PrometheusServer(Debian(), []);
        var history = await Of(server, "sum by (le, instance, http_request_method) (rate(http_server_request_duration_seconds_bucket[60s]))");
        Assert.Equal([new Gap(30, 5)], history.Gaps());
        Assert.Equal(["a:1", "b:1"], history.Servers.Select(one => one.Name));
        Assert.Equal([0.005, 0.01, 0.1], history.Buckets);
        Assert.Equal((12, 32, 12), (history.Rate(5), history.Rate(29), history.Rate(55)));
        // Server a began anew at 20 min, and its rate did not fall.
        Assert.Equal(10, history.Servers[0].Reads[20], 0.5);
        Assert.Equal([18, 1.8, 0.2, 0], history.Servers[1].Latency![25]!);
        Assert.Equal((1, 2, 1), (history.Replicas[5], history.Replicas[25], history.Replicas[55]));
    }

    [Fact]
    public async Task Prometheus_errors_name_the_query()
    {
        using var server = new PrometheusServer(Debian(), []);
        Assert.Contains("parse error", (await FailsAsync(server, "rate(")).Message, StringComparison.Ordinal);
        var empty = await FailsAsync(server, "no_such_metric");
        Assert.Equal("no_such_metric", empty.Place);
        Assert.Contains("does not mean that there was no load", empty.Message, StringComparison.Ordinal);
        Assert.Contains("no label le", (await FailsAsync(server, "sum by (instance) (rate(http_server_request_duration_seconds_count[60s]))")).Message, StringComparison.Ordinal);
        Assert.Contains("is a counter", (await FailsAsync(server, "http_server_request_duration_seconds_bucket")).Message, StringComparison.Ordinal);
        Assert.Contains("has no bucket +Inf", (await FailsAsync(server, "rate(http_server_request_duration_seconds_bucket{le!=\"+Inf\"}[60s])")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_is_not_there_is_an_error()
    {
        using var server = new PrometheusServer(new Uri($"http://127.0.0.1:{FreePort()}"), []);
        Assert.Contains("can't be reached", (await FailsAsync(server, "up")).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(200, "<html>", "not JSON")]
    [InlineData(200, """{"status":"success","data":{"resultType":"matrix","result":[""", "not JSON")]
    [InlineData(200, """{"status":"success"}""", "has no data")]
    [InlineData(200, """{"status":"error","error":"overloaded"}""", "Prometheus answers: overloaded")]
    [InlineData(200, """{"status":"success","data":{"resultType":"vector","result":[]}}""", "is a vector")]
    [InlineData(200, "[1]", "an answer of Prometheus is expected")]
    [InlineData(404, "not here", "status 404")]
    [InlineData(503, """{"status":"error","errorType":"timeout","error":"query timed out"}""", "status 503: query timed out")]
    public async Task Other_answers_are_errors(int status, string body, string expected)
    {
        using var listener = new HttpListener();
        var address = $"http://127.0.0.1:{FreePort()}/";
        listener.Prefixes.Add(address);
        listener.Start();
        var answering = AnswerAsync(listener, status, body);
        using var server = new PrometheusServer(new Uri(address), []);
        Assert.Contains(expected, (await FailsAsync(server, "up")).Message, StringComparison.Ordinal);
        await answering;
    }

    [Fact]
    public async Task A_file_has_the_answer_to_a_query()
    {
        var history = await FromFileAsync(Answer(Bucket("a", "0.1", 9, 18), Bucket("a", "+Inf", 10, 20), Bucket("b", "0.1", 5, 5), Bucket("b", "+Inf", 5, 5)));
        Assert.Equal([15.0, 25.0], Enumerable.Range(0, 2).Select(history.Rate));
        Assert.Equal([18, 2], history.Servers[0].Latency![1]!);
        Assert.Equal(DateTimeOffset.FromUnixTimeSeconds((long)Start), history.Start);
    }

    [Fact]
    public async Task Counters_that_begin_anew_are_told()
    {
        var history = await FromFileAsync(Answer(Bucket("a", "0.1", 600, 1200, 300), Bucket("a", "+Inf", 600, 1200, 300)), areCounters: true);
        // The first step has no difference.
        Assert.Equal([new Gap(0, 1)], history.Gaps());
        Assert.Equal([10.0, 5.0], history.Bins[0].Reads[1..]);
        Assert.Contains(history.Lacks, lack => lack.Contains("began anew 2 times", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Warnings_of_the_server_are_told()
    {
        var history = await FromFileAsync(Answer(Bucket("a", "+Inf", 1, 1)).Replace("\"data\"", "\"warnings\":[\"half of the store is gone\"],\"data\"", StringComparison.Ordinal));
        Assert.Contains(history.Lacks, lack => lack.Contains("half of the store is gone", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("negative", "-1", "1")]
    [InlineData("is NaN at", "NaN", "1")]
    [InlineData("is Infinity at", "+Inf", "1")]
    [InlineData("a number is expected", "many", "1")]
    public async Task Bad_samples_are_errors_with_their_place(string expected, string first, string second)
    {
        var error = await Assert.ThrowsAsync<ImportException>(() => FromFileAsync(Answer($$"""{"metric":{"le":"+Inf"},"values":[[{{Start + 60}},"{{first}}"],[{{Start + 120}},"{{second}}"]]}""")));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
        Assert.StartsWith("answer.json, byte ", error.Place, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("comes after", 120, 60)]
    [InlineData("is there twice", 60, 60)]
    public async Task Times_that_do_not_ascend_are_errors(string expected, double first, double second)
    {
        var error = await Assert.ThrowsAsync<ImportException>(() => FromFileAsync(Answer($$"""{"metric":{"le":"+Inf"},"values":[[{{Start + first}},"1"],[{{Start + second}},"1"]]}""")));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Buckets_that_change_are_errors()
    {
        var other = await Assert.ThrowsAsync<ImportException>(() => FromFileAsync(Answer(Bucket("a", "0.1", 1, 1), Bucket("a", "+Inf", 1, 1), Bucket("b", "0.2", 1, 1), Bucket("b", "+Inf", 1, 1))));
        Assert.Contains("server \"b\" has the buckets 0.2, and others have 0.1", other.Message, StringComparison.Ordinal);
        var later = await Assert.ThrowsAsync<ImportException>(() => FromFileAsync(Answer(Bucket("a", "0.1", 1), Bucket("a", "+Inf", 1, 1))));
        Assert.Contains("has 1 of 2", later.Message, StringComparison.Ordinal);
        var native = await Assert.ThrowsAsync<ImportException>(() => FromFileAsync(Answer("""{"metric":{},"histograms":[]}""")));
        Assert.Contains("native histograms", native.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_answer_of_any_length_is_read_in_bounded_memory()
    {
        // 40 series of 20,000 samples: a text of 14 MB, of which 6 MB of numbers remain.
        var file = new FileInfo(Path.Combine(_folder.FullName, "long.json"));
        await using (var writer = new StreamWriter(file.FullName))
        {
            await writer.WriteAsync("""{"status":"success","data":{"resultType":"matrix","result":[""");
            for (var series = 0; series < 40; series++)
            {
                await writer.WriteAsync($$"""{{(series > 0 ? "," : "")}}{"metric":{"instance":"{{series}}","le":"+Inf"},"values":[[{{Start}},"1"]""");
                for (var step = 1; step < 20_000; step++)
                    await writer.WriteAsync($",[{Start + step},\"1\"]");
                await writer.WriteAsync("]}");
            }

            await writer.WriteAsync("]}}");
        }

        var set = new SeriesSet("long.json", new Grid(Start - 1, 1, 20_000));
        var before = GC.GetAllocatedBytesForCurrentThread();
        using (var stream = file.OpenRead())
            AnswerReader.ReadInto(set, stream, "long.json", areCounters: false);
        Assert.Equal(40, set.All.Count);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 60_000_000);
        var error = Assert.Throws<ImportException>(() => new SeriesSet("many", new Grid(Start, 1, 31_000_000)).Of(new Dictionary<string, string>()));
        Assert.Contains("more than 30,000,000 numbers", error.Message, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static Uri Debian()
    {
        var address = Environment.GetEnvironmentVariable("STOUT_PROMETHEUS");
        Assert.SkipWhen(string.IsNullOrEmpty(address), "STOUT_PROMETHEUS names no server.");
        return new Uri(address!);
    }

    private static Task<ServiceHistory> Of(PrometheusServer server, string latency) =>
        new PrometheusImport(Labels, server, areCounters: false) { Latency = Source.Parse(latency) }.RunAsync(new Grid(Start, 60, 60), TestContext.Current.CancellationToken);

    private static Task<ImportException> FailsAsync(PrometheusServer server, string latency) => Assert.ThrowsAsync<ImportException>(() => Of(server, latency));

    private async Task<ServiceHistory> FromFileAsync(string answer, bool areCounters = false)
    {
        var path = Path.Combine(_folder.FullName, "answer.json");
        await File.WriteAllTextAsync(path, answer, TestContext.Current.CancellationToken);
        var import = new PrometheusImport(Labels, null, areCounters) { Latency = Source.Parse("@" + path) };
        return await import.RunAsync(import.FileGrid(step: null), TestContext.Current.CancellationToken);
    }

    private static string Answer(params string[] series) => $$$"""{"status":"success","data":{"resultType":"matrix","result":[{{{string.Join(',', series)}}}]}}""";

    private static string Bucket(string server, string bound, params int[] values) =>
        $$"""{"metric":{"instance":"{{server}}","le":"{{bound}}"},"values":[{{string.Join(',', values.Select((value, i) => $"[{Start + 60 * (i + 1)},\"{value}\"]"))}}]}""";

    private static async Task AnswerAsync(HttpListener listener, int status, string body)
    {
        var context = await listener.GetContextAsync();
        context.Response.StatusCode = status;
        await context.Response.OutputStream.WriteAsync(Encoding.UTF8.GetBytes(body));
        context.Response.Close();
    }

    private static int FreePort()
    {
        using var socket = new System.Net.Sockets.TcpListener(IPAddress.Loopback, 0);
        socket.Start();
        return ((IPEndPoint)socket.LocalEndpoint).Port;
    }
}
