using System.Diagnostics;

[assembly: AssemblyFixture(typeof(Stout.AzureTables.Tests.Server))]

namespace Stout.AzureTables.Tests;

/// <summary>
/// The server of all tests but those that kill one: the server in STOUT_AZURE_TABLES, or an Azurite that starts with the first test.
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

/// <summary>An Azurite of its own, by the script that starts one for all tests.</summary>
internal sealed class AzuriteProcess : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("stout-azurite-").FullName;

    /// <summary>Starts it, on its folder and its port.</summary>
    /// <returns>Its connection string.</returns>
    public async Task<string> StartAsync() => (await RunAsync("start")).Trim();

    /// <summary>Ends it at once.</summary>
    public Task KillAsync() => RunAsync("kill");

    /// <summary>Lets it save everything.</summary>
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
