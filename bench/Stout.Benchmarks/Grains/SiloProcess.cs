#pragma warning disable ORLEANSEXP003 // Orleans' distributed directory is experimental.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;

namespace Stout.Benchmarks.Grains;

/// <summary>
/// A silo in a process of its own. It leaves its cluster when its standard input ends, which also happens when the parent process ends. A line of input has it
/// begin to call grains, if it does not yet, and print what it has counted since the line before.
/// </summary>
internal sealed class SiloProcess : IAsyncDisposable
{
    public const string ChildCommand = "orleans-silo";
    private const string Ready = "ready";
    private const string DatabaseVariable = "STOUT_BENCHMARK_DATABASE";
    private readonly Process _process;

    private SiloProcess(Process process, int port) => (_process, Port) = (process, port);

    /// <summary>The silo's port.</summary>
    public int Port { get; }

    /// <summary>Starts a silo.</summary>
    /// <param name="storage">
    /// The grain storage: <see cref="RecoveryCell.AdoNet"/>, <see cref="RecoveryCell.Stout"/>, or a variant of <see cref="RollingCell"/>.
    /// </param>
    /// <param name="cluster">The cluster's id.</param>
    /// <param name="connection">The database of membership and states.</param>
    public static async Task<SiloProcess> StartAsync(string storage, string cluster, string connection)
    {
        var (port, gateway) = (FreePort(), FreePort());
        var start = OwnProcess.Command(ChildCommand, storage, cluster, port.ToString(CultureInfo.InvariantCulture), gateway.ToString(CultureInfo.InvariantCulture));
        (start.RedirectStandardInput, start.RedirectStandardOutput) = (true, true);
        start.Environment[DatabaseVariable] = connection;
        var process = Process.Start(start)!;
        if (await process.StandardOutput.ReadLineAsync() != Ready)
            throw new InvalidOperationException("A silo's process has not started.");
        return new SiloProcess(process, port);
    }

    /// <summary>Runs a silo in this process until standard input ends.</summary>
    public static async Task RunAsync(string storage, string cluster, int port, int gateway)
    {
        var connection = Environment.GetEnvironmentVariable(DatabaseVariable) ?? throw new InvalidOperationException($"{DatabaseVariable} names no database.");
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Logging.SetMinimumLevel(LogLevel.Error);
        builder.UseOrleans(silo =>
        {
            silo.Configure<ClusterOptions>(options => (options.ClusterId, options.ServiceId) = (cluster, cluster));
            silo.Configure<ClusterMembershipOptions>(options =>
            {
                options.ProbeTimeout = TimeSpan.FromSeconds(1);
                options.NumMissedProbesLimit = 2;
                options.NumVotesForDeathDeclaration = 2;
            });
            silo.UseAdoNetClustering(options => (options.Invariant, options.ConnectionString) = ("Npgsql", connection));
            if (storage == RollingCell.Distributed)
                silo.AddDistributedGrainDirectory();
            silo.ConfigureEndpoints(IPAddress.Loopback, port, gateway);
            if (storage is RollingCell.HandedOver or RollingCell.Distributed)
                silo.AddStoutHandOver();
            if (storage == RecoveryCell.AdoNet)
                ComparedSilos.UseAdoNet(silo, connection);
            else
                ComparedSilos.UseStout(silo, connection);
        });
        using var host = builder.Build();
        using var counts = new SiloCounts();
        await host.StartAsync();
        Console.WriteLine(Ready);
        using var leaving = new CancellationTokenSource();
        Task? calling = null;
        while (await Console.In.ReadLineAsync() is not null)
        {
            Console.WriteLine(counts.Take().ToLine());
            calling ??= counts.Calls.RunAsync(host.Services.GetRequiredService<IGrainFactory>(), leaving.Token);
        }

        await leaving.CancelAsync();
        await (calling ?? Task.CompletedTask);
        await host.StopAsync();
    }

    /// <summary>The counts of the silo since the last call. The first call has the silo begin to call grains.</summary>
    public async Task<CallFigures> TakeAsync()
    {
        await _process.StandardInput.WriteLineAsync();
        await _process.StandardInput.FlushAsync();
        return CallFigures.OfLine(await _process.StandardOutput.ReadLineAsync() ?? throw new InvalidOperationException("A silo's process has ended."));
    }

    /// <summary>Leaves the cluster.</summary>
    public async Task LeaveAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
    }

    /// <summary>Ends the process by SIGKILL.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync();
    }

    /// <summary>Suspends the process by SIGSTOP.</summary>
    public async Task SuspendAsync()
    {
        using var kill = Process.Start("kill", ["-STOP", _process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            await KillAsync();
        _process.Dispose();
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
