using SectionedDocuments.Tests.Processes;
using Stout.Tests.Shared;

namespace SectionedDocuments.Tests.Durability;

/// <summary>The order of system calls, which shows the effect of a power cut. A kill does not show it, since the operating system keeps its cache.</summary>
public sealed class SyncTraceTests(ITestOutputHelper output) : IDisposable
{
    private const int Sequential = 40;
    private const int Clients = 16;
    private const int PerClient = 10;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task No_answer_leaves_before_the_sync_of_its_commit_has_returned()
    {
        SystemPrograms.Require("strace");
        var (calls, markers) = await TraceAsync();
        Assert.Empty(AcknowledgementCheck.FindEarly(calls, markers));
        output.WriteLine($"{markers.Count} answers, {calls.Count(call => call.IsSync && call.IsOnLog)} syncs of the log");
    }

    [Fact]
    public async Task A_database_that_does_not_sync_is_caught()
    {
        SystemPrograms.Require("strace");
        var (calls, markers) = await TraceAsync("--Test:SynchronousOff=true");
        var early = AcknowledgementCheck.FindEarly(calls, markers);
        Assert.NotEmpty(early);
        output.WriteLine($"{early.Count} of {markers.Count} answers came too early, first: {early[0]}");
        Assert.Equal(markers.Count, early.Count);
        Assert.All(early, fault => Assert.EndsWith("answered before the log was synced", fault, StringComparison.Ordinal));
    }

    private async Task<(IReadOnlyList<SystemCall> Calls, List<string> Markers)> TraceAsync(params string[] arguments)
    {
        var trace = _folder.File("trace");
        var program = RunningProgram.Dotnet(
            Programs.ServiceUnderTest, [.. RunningService.Defaults(["--Stout:Pacing:Law=NoBatching", .. arguments])]);
        var markers = new List<string>();
        using (var service = await RunningService.StartCommandAsync(_folder, Strace.Command(trace, program)))
        {
            for (var i = 0; i < Sequential; i++)
                await WriteMarkedAsync(service, "one", "section", markers);
            await Task.WhenAll(Enumerable.Range(0, Clients).Select(async client =>
            {
                for (var i = 0; i < PerClient; i++)
                    await WriteMarkedAsync(service, $"document {client % 4}", $"section {client}", markers);
            }));
            service.Program.Say("Exit");
            Assert.Equal(0, await service.Program.ExitAsync());
        }

        return (Strace.Parse(File.ReadLines(trace)), markers);
    }

    private static Task WriteMarkedAsync(RunningService service, string document, string section, List<string> markers)
    {
        string marker;
        lock (markers)
            markers.Add(marker = $"<marker-{markers.Count:D6}>");
        return service.WriteAsync(document, section, marker);
    }
}
