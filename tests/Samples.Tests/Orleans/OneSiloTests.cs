using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using SectionedDocuments.Tests.Processes;

namespace Samples.Tests.Orleans;

/// <summary>One silo on SQLite.</summary>
public sealed class OneSiloTests : IDisposable
{
    private static readonly string[] Names = ["/", "1", "10", "2", "$cleared", "ä 🐟"];

    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Documents_have_the_same_interface_as_those_of_SectionedDocuments()
    {
        using var silo = await SiloCluster.StartSiloAsync(_folder);
        foreach (var name in Names)
            await silo.WriteAsync("a/b", name, "text of " + name);
        Assert.Equal("text of $cleared", await silo.ReadAsync("a/b", "$cleared"));

        var sections = await silo.Http.GetFromJsonAsync<JsonElement>("documents/a%2Fb/sections", Cancellation);
        Assert.Equal(Names.Order(StringComparer.Ordinal), sections.EnumerateArray().Select(section => section.GetProperty("name").GetString()));
        var summary = await silo.Http.GetFromJsonAsync<JsonElement>("documents/a%2Fb", Cancellation);
        Assert.Equal("text of ä 🐟".Length + 3, summary.GetProperty("sections").EnumerateArray().Last().GetProperty("length").GetInt32());
        Assert.Equal(2, (await silo.Http.GetFromJsonAsync<JsonElement>("documents/a%2Fb/sections?prefix=1", Cancellation)).GetArrayLength());

        foreach (var name in Names)
            await DeleteAsync(silo, RunningService.PathOf("a/b", name), HttpStatusCode.NoContent);
        await DeleteAsync(silo, RunningService.PathOf("a/b", "1"), HttpStatusCode.NotFound);
        await DeleteAsync(silo, "documents/a%2Fb", HttpStatusCode.NotFound);
        await silo.WriteAsync("a/b", "1", "again");
        await DeleteAsync(silo, "documents/a%2Fb", HttpStatusCode.NoContent);
        using var gone = await silo.Http.GetAsync("documents/a%2Fb", Cancellation);
        await Problem.OfAsync(gone, HttpStatusCode.NotFound, "document-not-found");

        using var longName = await silo.PutAsync(new string('x', 5000), "1", "text");
        await Problem.OfAsync(longName, HttpStatusCode.BadRequest, "invalid-name");
        using var longSection = await silo.PutAsync("a", '$' + new string('x', 128), "text");
        await Problem.OfAsync(longSection, HttpStatusCode.BadRequest, "invalid-name");
        using var dashboard = await silo.Http.GetAsync("dashboard", Cancellation);
        Assert.Equal(HttpStatusCode.NotFound, dashboard.StatusCode);
        Assert.Null((await Place.OfAsync(silo, "a")).Dashboard);
    }

    [Fact]
    public async Task What_authors_wrote_outlives_a_kill_and_the_epoch_rises()
    {
        long epoch;
        using (var silo = await SiloCluster.StartSiloAsync(_folder, "--environment=Development"))
        {
            Assert.Contains("2 of 2 documents match.", await OrleansAuthors.RunAsync(silo, "--keystrokes", "200"), StringComparison.Ordinal);
            var place = await Place.OfAsync(silo, "letter");
            Assert.Equal(place.AskedSilo, place.Silo);
            epoch = place.Epoch;
            using var dashboard = await silo.Http.GetAsync(place.Dashboard, Cancellation);
            Assert.Contains("<script", await dashboard.Content.ReadAsStringAsync(Cancellation), StringComparison.Ordinal);
            Assert.Contains("DocumentGrain", await silo.Http.GetStringAsync("dashboard/DashboardCounters", Cancellation), StringComparison.Ordinal);
            silo.Program.Kill();
            await silo.Program.ExitAsync();
        }

        using var restarted = await SiloCluster.StartSiloAsync(_folder);
        await OrleansAuthors.RunAsync(restarted, "--keystrokes", "200", "--verify");
        Assert.Equal(epoch + 1, (await Place.OfAsync(restarted, "letter")).Epoch);
    }

    [Theory]
    [InlineData("--OrleansDocuments:ProbeTimeout=0", "OrleansDocuments:ProbeTimeout is invalid")]
    [InlineData("--OrleansDocuments:Port=5", "OrleansDocuments:Port is invalid")]
    [InlineData("--OrleansDocuments:Address=no.such.place.invalid", "OrleansDocuments:Address is invalid")]
    [InlineData("--Stout:Documents:Sqlite:Pth=a.db", "Stout:documents:Sqlite:Pth is invalid")]
    public async Task A_setting_that_cannot_be_is_named(string setting, string named)
    {
        using var program = RunningProgram.Start(_folder.Path, RunningProgram.Dotnet(Programs.OrleansDocuments, [.. RunningService.Defaults([setting])]));
        Assert.Equal(1, await program.ExitAsync());
        Assert.Contains(named, program.Output, StringComparison.Ordinal);
    }

    private static async Task DeleteAsync(RunningService silo, string path, HttpStatusCode status)
    {
        using var answer = await silo.Http.DeleteAsync(path, Cancellation);
        Assert.Equal(status, answer.StatusCode);
    }
}
