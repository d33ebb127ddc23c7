
namespace Stout.Director.Tests.Tool;

/// <summary>The commands of the tool, in the order in which an operator gives them.</summary>
public sealed class CommandTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-director-");

    [Fact]
    public async Task A_recording_is_compared_on_servers_that_are_known_by_telemetry()
    {
        await File.WriteAllLinesAsync(
            PathOf("telemetry.csv"),
            ["gets,puts,slow,10,100,200", "1000,50,0.0001,0.2,0.0001,0", "5000,260,0.004,0.4,0.004,0.0001", "7500,390,0.02,0.6,0.02,0.001", "9000,470,0.2,0.8,0.2,0.05"],
            TestContext.Current.CancellationToken);
        Assert.Equal(0, await ToolRun.RunAsync("train", "--telemetry", PathOf("telemetry.csv"), "--type", "real", "--out", PathOf("real.json")));
        Assert.Equal(0, await ToolRun.RunAsync("simulate", "--scenario", "hotspot", "--record", PathOf("hot.rec")));
        Assert.Equal(0, await ToolRun.RunAsync("whatif", "--recording", PathOf("hot.rec"), "--types", PathOf("real.json"), "--price", "real=0.2", "--page", PathOf("page.html")));
        var page = await File.ReadAllTextAsync(PathOf("page.html"), TestContext.Current.CancellationToken);
        Assert.Contains("real (", page, StringComparison.Ordinal);
        Assert.Contains("<svg", page, StringComparison.Ordinal);
        Assert.Equal(0, await ToolRun.RunAsync("explain", "--recording", PathOf("hot.rec"), "--at", "0:24"));
    }

    [Fact]
    public async Task Errors_that_a_user_can_mend_end_with_exit_code_1()
    {
        await File.WriteAllTextAsync(PathOf("no.rec"), "no recording", TestContext.Current.CancellationToken);
        Assert.Equal(1, await ToolRun.RunAsync("explain", "--recording", PathOf("no.rec"), "--at", "0:24"));
        Assert.Equal(1, await ToolRun.RunAsync("whatif", "--recording", PathOf("missing.rec")));
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--overprovisioning", "9"));
        Assert.Equal(1, await ToolRun.RunAsync("simulate", "--scenario", "diurnal"));
        Assert.Equal(1, await ToolRun.RunAsync("train", "--slo", "fast", "--out", PathOf("model.json")));
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
