using System.Net;
using System.Text;

namespace SectionedDocuments.Tests.Processes;

/// <summary>The service in its own process, ready for requests.</summary>
internal sealed class RunningService : IDisposable
{
    private const string Listening = "Now listening on: ";

    private RunningService(RunningProgram program, Uri address)
    {
        Program = program;
        Http = new HttpClient { BaseAddress = address };
    }

    public RunningProgram Program { get; }

    public HttpClient Http { get; }

    public Uri Address => Http.BaseAddress!;

    /// <summary>Starts the sample as its users run it.</summary>
    public static Task<RunningService> StartAsync(TemporaryFolder folder, params IEnumerable<string> arguments) =>
        StartCommandAsync(folder, RunningProgram.Dotnet(Programs.Service, [.. Defaults(arguments)]));

    /// <summary>Starts the sample on a store that a test can watch and disturb.</summary>
    public static Task<RunningService> StartWatchedAsync(TemporaryFolder folder, params IEnumerable<string> arguments) =>
        StartCommandAsync(folder, RunningProgram.Dotnet(Programs.ServiceUnderTest, [.. Defaults(arguments)]));

    /// <summary>Starts the sample by any command.</summary>
    public static async Task<RunningService> StartCommandAsync(TemporaryFolder folder, IEnumerable<string> command)
    {
        var program = RunningProgram.Start(folder.Path, command);
        try
        {
            var line = await program.LineAsync(Listening);
            return new RunningService(program, new Uri(line[(line.IndexOf(Listening, StringComparison.Ordinal) + Listening.Length)..]));
        }
        catch
        {
            program.Dispose();
            throw;
        }
    }

    /// <summary>The arguments of a test, with defaults before them: any free port, and no limits for a client.</summary>
    public static IEnumerable<string> Defaults(IEnumerable<string> arguments) =>
        ["--urls=http://127.0.0.1:0", "--SectionedDocuments:RequestsPerSecond=0", .. arguments];

    public static string PathOf(string document, string section) =>
        $"documents/{Uri.EscapeDataString(document)}/sections/{Uri.EscapeDataString(section)}";

    public Task<HttpResponseMessage> PutAsync(string document, string section, string text) =>
        Http.PutAsync(PathOf(document, section), new ByteArrayContent(Encoding.UTF8.GetBytes(text)), TestContext.Current.CancellationToken);

    public async Task WriteAsync(string document, string section, string text)
    {
        using var answer = await PutAsync(document, section, text);
        Assert.Equal(HttpStatusCode.NoContent, answer.StatusCode);
    }

    /// <summary>Writes to each document that the 64 writers of the development mode edit, so that the service has the documents in memory.</summary>
    public async Task WriteToWritersDocumentsAsync()
    {
        for (var document = 0; document < 8; document++)
            await WriteAsync($"writers-{document}", "Introduction", "Many edit this document.");
    }

    public Task<string> ReadAsync(string document, string section) =>
        Http.GetStringAsync(PathOf(document, section), TestContext.Current.CancellationToken);

    /// <summary>Sets the mood of a watched store, and returns when the store has it.</summary>
    public async Task SetMoodAsync(string mood)
    {
        Program.Say(mood);
        await Program.LineAsync("mood: " + mood);
    }

    public void Dispose()
    {
        Http.Dispose();
        Program.Dispose();
    }
}
