using System.Net;
using System.Net.Sockets;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

public sealed class StartTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task The_service_says_which_store_keeps_documents()
    {
        using var service = await RunningService.StartAsync(_folder, "--Stout:Sqlite:Path=my.db");
        await service.Program.LineAsync("Documents are kept in Sqlite");
        Assert.True(File.Exists(_folder.File("my.db")));
    }

    [Fact]
    public async Task A_second_process_on_the_same_file_is_turned_away_and_the_first_goes_on()
    {
        using var first = await RunningService.StartAsync(_folder);
        await FailsAsync("is open already", "--Stout:WaitAtStart=00:00:00"); // Otherwise the start waits for the lock.
        await first.WriteAsync("a", "1", "unharmed");
    }

    [Theory]
    [InlineData("--Stout:Pacing:Law=Fastest", "Stout:Pacing:Law")]
    [InlineData("--Stout:MaxDirtyKeys=0", "Stout:MaxDirtyKeys is invalid")]
    [InlineData("--Stout:MaxDirtyKey=5", "Stout:MaxDirtyKey is invalid")]
    [InlineData("--Stout:Sqllite:Path=a.db", "Stout:Sqllite is invalid")]
    [InlineData("--Stout:Sqlite:Partitions=0", "Stout:Sqlite:Partitions is invalid")]
    [InlineData("--Stout:Sqlite:Path=", "Stout:Sqlite:Path is invalid")]
    [InlineData("--Stout:Documents:MaxCachedObjects=none", "Stout:Documents:MaxCachedObjects is invalid")]
    [InlineData("--SectionedDocuments:MaxBodyBytes=0", "SectionedDocuments:MaxBodyBytes is invalid")]
    [InlineData("--SectionedDocuments:MaxBodyByte=5", "SectionedDocuments:MaxBodyByte is invalid")]
    public Task A_setting_that_cannot_be_is_named(string setting, string named) => FailsAsync(named, setting);

    [Theory]
    [InlineData("Stout:Store")]
    [InlineData("Stout:ConnectionString")]
    [InlineData("Stout:Sqlite")]
    [InlineData("Stout:Sqlite:Partitions")]
    [InlineData("SectionedDocuments:MaxBodyBytes")]
    [InlineData("SectionedDocuments:ConnectionString")]
    public async Task A_secret_in_the_wrong_setting_is_not_printed(string setting)
    {
        const string Secret = "S3cr3t";
        using var program = RunningProgram.Start(_folder.Path, RunningProgram.Dotnet(Programs.Service, [.. RunningService.Defaults([$"--{setting}=Host=a;Password={Secret}"])]));
        Assert.Equal(1, await program.ExitAsync());
        Assert.Contains(setting, program.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, program.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_is_no_database_is_left_alone()
    {
        const string Precious = "These are not the documents you are looking for.";
        await File.WriteAllTextAsync(_folder.File("documents.db"), string.Concat(Enumerable.Repeat(Precious, 100)), TestContext.Current.CancellationToken);
        await FailsAsync("");
        Assert.StartsWith(Precious, await File.ReadAllTextAsync(_folder.File("documents.db"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public Task A_path_that_is_a_folder_is_refused()
    {
        Directory.CreateDirectory(_folder.File("documents.db"));
        return FailsAsync("");
    }

    [Fact]
    public async Task A_port_that_is_taken_is_named()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var address = $"http://{taken.LocalEndpoint}";
        await FailsAsync("address already in use", $"--urls={address}");
    }

    /// <summary>Checks that the service ends with exit code 1, and with one line that contains the reason.</summary>
    private async Task FailsAsync(string reason, params string[] arguments)
    {
        using var program = RunningProgram.Start(_folder.Path, RunningProgram.Dotnet(Programs.Service, [.. RunningService.Defaults(arguments)]));
        Assert.Equal(1, await program.ExitAsync());
        Assert.Contains(reason, Assert.Single(program.Output.Split('\n'), line => line.StartsWith("SectionedDocuments: ", StringComparison.Ordinal)), StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", program.Output, StringComparison.Ordinal);
    }
}
