using System.Diagnostics;

[assembly: AssemblyFixture(typeof(Stout.AzureTables.Tests.Server))]

namespace Stout.AzureTables.Tests;

/// <summary>
/// The server of all tests except those that kill a server: the one in STOUT_AZURE_TABLES, or an Azurite that starts with the first test.
/// </summary>
public sealed class Server : IAsyncLifetime
{
    private AzuriteProcess? _own;

    /// <summary>The connection string of the account.</summary>
    public string Account { get; private set; } = "";

    public async ValueTask InitializeAsync()
    {
        Account = Environment.GetEnvironmentVariable("STOUT_AZURE_TABLES") ?? "";
        if (Account.Length > 0)
            return;
        _own = new AzuriteProcess();
        Account = await _own.StartAsync();
    }

    public async ValueTask DisposeAsync()
    {
        if (_own is not null)
            await _own.DisposeAsync();
    }
}

/// <summary>A process of Azurite, run by the script that also starts the common one.</summary>
internal sealed class AzuriteProcess : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("stout-azurite-").FullName;

    /// <summary>Starts Azurite with its folder and, after the first start, its old port.</summary>
    /// <returns>The server's connection string.</returns>
    public async Task<string> StartAsync() => (await RunAsync("start")).Trim();

    /// <summary>Kills Azurite, which loses the data that it has not saved.</summary>
    public Task KillAsync() => RunAsync("kill");

    /// <summary>Stops Azurite after it has saved all data.</summary>
    public Task StopAsync() => RunAsync("stop");

    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        Directory.Delete(_folder, recursive: true);
    }

    private async Task<string> RunAsync(string command)
    {
        var start = new ProcessStartInfo("bash") { RedirectStandardOutput = true };
        start.ArgumentList.Add(Repository.Path("tests/servers/azurite.sh"));
        start.ArgumentList.Add(command);
        start.ArgumentList.Add(_folder);
        using var process = Process.Start(start)!;
        var said = await process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        await process.WaitForExitAsync(CancellationToken.None);
        Assert.True(process.ExitCode == 0, $"The server's script fails at {command}.");
        return said;
    }
}
