using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Editing;

public sealed class AuthorsTests(ITestOutputHelper output) : IDisposable
{
    private const string NoBatching = "--Stout:Pacing:Law=NoBatching";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Documents_written_by_authors_match_their_histories_also_after_a_kill_and_a_restart()
    {
        using (var service = await RunningService.StartAsync(_folder, NoBatching))
        {
            Assert.Contains("2 of 2 documents match.", await SucceedAsync(service, Histories.OfOurOwn), StringComparison.Ordinal);
            service.Program.Kill();
            await service.Program.ExitAsync();
        }

        using var restarted = await RunningService.StartAsync(_folder);
        await SucceedAsync(restarted, Histories.OfOurOwn, "--verify");
    }

    [Fact]
    public async Task Authors_type_at_the_recorded_speed_under_the_papers_law_too()
    {
        using var service = await RunningService.StartAsync(_folder);
        await SucceedAsync(service, Histories.OfOurOwn, "--speed", "50", "--keystrokes", "100");
    }

    [Fact]
    public async Task A_beginning_of_each_real_history_is_written_and_read_back()
    {
        Assert.SkipWhen(Histories.Real is null, Histories.WhyNotReal);
        string[] beginning = ["--keystrokes", "2000"];
        using (var service = await RunningService.StartAsync(_folder, NoBatching))
        {
            output.WriteLine(await SucceedAsync(service, Histories.Real!, beginning));
            service.Program.Kill();
            await service.Program.ExitAsync();
        }

        using var restarted = await RunningService.StartAsync(_folder);
        await SucceedAsync(restarted, Histories.Real!, [.. beginning, "--verify"]);
    }

    [Fact]
    public async Task Authors_carry_on_when_the_service_is_killed_and_started_again()
    {
        using var service = await RunningService.StartWatchedAsync(_folder, NoBatching);
        using var authors = Start(service, Histories.OfOurOwn);
        await service.WriteAsync("waits", "for", "the first");
        await service.SetMoodAsync("Hold");
        await service.Program.LineAsync("write held");
        service.Program.Kill();
        await service.Program.ExitAsync();

        using var restarted = await RunningService.StartAsync(_folder, NoBatching, "--urls=" + service.Address);
        Assert.Equal(0, await authors.ExitAsync());
        await authors.LineAsync("2 of 2 documents match.");
    }

    [Fact]
    public async Task A_document_that_differs_is_told()
    {
        using var service = await RunningService.StartAsync(_folder, NoBatching);
        await SucceedAsync(service, Histories.OfOurOwn);
        await service.WriteAsync("letter", "zzzz", "Not the author's.");
        using var authors = Start(service, Histories.OfOurOwn, "--verify");
        Assert.Equal(1, await authors.ExitAsync());
        await authors.LineAsync("letter: DIFFERS");
        await authors.LineAsync("1 of 2 documents match.");
    }

    [Fact]
    public async Task What_cannot_be_done_is_told_in_one_line()
    {
        using var service = await RunningService.StartAsync(_folder);
        await FailAsync(2, "holds no histories", Start(service, new DirectoryInfo(_folder.Path)));
        await FailAsync(2, "There is no folder", Start(service, new DirectoryInfo(_folder.File("missing"))));
        await File.WriteAllTextAsync(_folder.File("broken.json"), "{ \"startContent\": 1 }", TestContext.Current.CancellationToken);
        await FailAsync(2, "is not an editing history", Start(service, new DirectoryInfo(_folder.Path)));
        await FailAsync(1, "The speed is", Start(service, Histories.OfOurOwn, "--speed", "0"));
        await FailAsync(1, "is not a whole number", Start(service, Histories.OfOurOwn, "--keystrokes", "-5"));
    }

    private static async Task FailAsync(int exitCode, string reason, RunningProgram authors)
    {
        using (authors)
        {
            Assert.Equal(exitCode, await authors.ExitAsync());
            Assert.Contains(reason, authors.Output, StringComparison.Ordinal);
            Assert.DoesNotContain("   at ", authors.Output, StringComparison.Ordinal);
        }
    }

    private async Task<string> SucceedAsync(RunningService service, DirectoryInfo histories, params string[] arguments)
    {
        using var authors = Start(service, histories, arguments);
        var exitCode = await authors.ExitAsync();
        Assert.True(exitCode == 0, authors.Output);
        return authors.Output;
    }

    private RunningProgram Start(RunningService service, DirectoryInfo histories, params string[] arguments) => RunningProgram.Start(
        _folder.Path,
        RunningProgram.Dotnet(Programs.Authors, ["--url", service.Address.ToString(), "--histories", histories.FullName, .. arguments]));
}
