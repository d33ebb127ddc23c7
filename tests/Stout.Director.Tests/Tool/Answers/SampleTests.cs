using Stout.Director.Tool.Answers;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tests.Tool.Answers;

/// <summary>The commands of docs/director/what-if.md on the sample, which tests/servers/telemetry/record.sh has recorded of the project's own service.</summary>
public sealed class SampleTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-director-");

    private static string Sample => Path.Combine(AppContext.BaseDirectory, "sample.json.gz");

    [Fact]
    public async Task One_command_makes_a_page_of_the_sample()
    {
        var page = Path.Combine(_folder.FullName, "page.html");
        var arguments = new[] { "whatif", "--history", Sample, "--slo", "95 % of reads under 250 ms, over 1 min", "--page", page, "--json", page + ".json" };
        Assert.Equal(0, await ToolRun.RunAsync(arguments));
        Assert.Contains("How far to trust this", await File.ReadAllTextAsync(page, TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public void The_sample_has_load_latency_and_servers()
    {
        var history = HistoryFile.Read(new FileInfo(Sample));
        Assert.True(history.IsDivisible);
        Assert.Contains(history.Replicas, count => count >= 2);
        Assert.NotNull(Measured.Of(history, Synthetic.Objective, 1));
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
