using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Orleans.Hosting;

namespace Stout.Benchmarks.Grains;

/// <summary>Three silo processes and a client in this process.</summary>
internal sealed class SiloCluster : IAsyncDisposable
{
    public const int Size = 3;
    private const int Grains = 300;

    /// <summary>How long a call may go without an answer before the client makes another one.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    /// <summary>How long a caller waits before its retry. A silo that stops refuses calls for about a tenth of a second.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private static readonly TimeSpan LongestWait = TimeSpan.FromMinutes(1);
    private readonly string _storage;
    private readonly string _cluster;
    private readonly string _connection;
    private readonly List<SiloProcess> _silos;
    private readonly IHost _client;

    private SiloCluster(string storage, string cluster, string connection, List<SiloProcess> silos, IHost client) =>
        (_storage, _cluster, _connection, _silos, _client) = (storage, cluster, connection, silos, client);

    public static async Task<SiloCluster> StartAsync(string storage, string connection)
    {
        var cluster = $"bench{Guid.NewGuid():N}";
        List<SiloProcess> silos = [.. await Task.WhenAll(Enumerable.Range(0, Size).Select(_ => SiloProcess.StartAsync(storage, cluster, connection)))];
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Logging.SetMinimumLevel(LogLevel.Error);
        builder.UseOrleansClient(client =>
        {
            client.Configure<ClusterOptions>(options => (options.ClusterId, options.ServiceId) = (cluster, cluster));
            client.Configure<GatewayOptions>(options => options.GatewayListRefreshPeriod = TimeSpan.FromSeconds(1));
            client.Configure<ClientMessagingOptions>(options => options.ResponseTimeout = TimeSpan.FromSeconds(5));
            client.UseAdoNetClustering(options => (options.Invariant, options.ConnectionString) = ("Npgsql", connection));
        });
        var host = builder.Build();
        await host.StartAsync();
        var started = new SiloCluster(storage, cluster, connection, silos, host);
        await started.AnswerAsync(Stopwatch.GetTimestamp());
        return started;
    }

    /// <summary>Harms the silo with the most grains, waits until all grains answer, and puts another silo in its place.</summary>
    /// <param name="harm">Ends or suspends the silo.</param>
    /// <returns>The seconds from the harm until the last grain has answered.</returns>
    public async Task<double> RecoverAsync(Func<SiloProcess, Task> harm)
    {
        var victim = await FullestAsync();
        var start = Stopwatch.GetTimestamp();
        var harming = harm(victim);
        await AnswerAsync(start);
        var seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        await harming;
        await victim.DisposeAsync();
        _silos.Remove(victim);
        _silos.Add(await SiloProcess.StartAsync(_storage, _cluster, _connection));
        await AnswerAsync(Stopwatch.GetTimestamp());
        return seconds;
    }

    /// <summary>Lets a silo leave while callers go on; a caller retries a failed call once.</summary>
    /// <returns>The seconds until all grains answer, and the number of calls that have failed twice.</returns>
    public async Task<(double Seconds, long Failed)> LeaveAsync()
    {
        using var over = new CancellationTokenSource();
        var failed = 0L;
        var callers = Enumerable.Range(0, 16).Select(caller => Task.Run(async () =>
        {
            for (var random = new Random(caller); !over.IsCancellationRequested;)
            {
                var grain = Find(random.Next(Grains));
                if (await TryAsync(grain, Timeout.InfiniteTimeSpan))
                    continue;
                await Task.Delay(Pause, CancellationToken.None);
                if (!await TryAsync(grain, Timeout.InfiniteTimeSpan))
                    Interlocked.Increment(ref failed);
            }
        })).ToList();
        var seconds = await RecoverAsync(static silo => silo.LeaveAsync());
        await over.CancelAsync();
        await Task.WhenAll(callers);
        return (seconds, failed);
    }

    /// <summary>The grains, as the client calls them.</summary>
    public IGrainFactory Client => _client.Services.GetRequiredService<IGrainFactory>();

    /// <summary>The counts of all silos since the last call, together. The first call has each silo begin to call grains.</summary>
    public async Task<CallFigures> TakeAsync() => CallFigures.Of(await Task.WhenAll(_silos.Select(static silo => silo.TakeAsync())));

    /// <summary>Lets the silo leave that has been in the cluster for the longest time.</summary>
    /// <returns>The seconds until its process has ended.</returns>
    public async Task<double> LeaveFirstAsync()
    {
        var first = _silos[0];
        _silos.RemoveAt(0);
        var start = Stopwatch.GetTimestamp();
        await first.LeaveAsync();
        await first.DisposeAsync();
        return Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    /// <summary>Starts another silo.</summary>
    public async Task JoinAsync() => _silos.Add(await SiloProcess.StartAsync(_storage, _cluster, _connection));

    /// <summary>Changes each grain once.</summary>
    public Task ChangeAllAsync(int grains) =>
        Parallel.ForAsync(0, grains, new ParallelOptions { MaxDegreeOfParallelism = 64 }, async (grain, _) => await Find(grain).ChangeAsync());

    public async ValueTask DisposeAsync()
    {
        await _client.StopAsync();
        _client.Dispose();
        foreach (var silo in _silos)
            await silo.DisposeAsync();
    }

    private static async Task<bool> TryAsync(IAccountGrain grain, TimeSpan patience)
    {
        try
        {
            await grain.ChangeAsync().WaitAsync(patience);
            return true;
        }
        catch (Exception)
        {
            return false;
        }
    }

    private async Task<SiloProcess> FullestAsync()
    {
        var ports = await Task.WhenAll(Enumerable.Range(0, Grains).Select(grain => Find(grain).PortAsync()));
        return _silos.MaxBy(silo => ports.Count(port => port == silo.Port))!;
    }

    /// <summary>Calls every grain until it has answered a change.</summary>
    /// <exception cref="TimeoutException">A grain has not answered within <see cref="LongestWait"/>.</exception>
    private Task AnswerAsync(long start) => Task.WhenAll(Enumerable.Range(0, Grains).Select(async grain =>
    {
        while (!await TryAsync(Find(grain), Patience))
        {
            if (Stopwatch.GetElapsedTime(start) > LongestWait)
                throw new TimeoutException($"Grain {grain} has not answered within {LongestWait}.");
            await Task.Delay(50);
        }
    }));

    private IAccountGrain Find(int grain) =>
        Client.GetGrain<IAccountGrain>(grain, typeof(AccountGrain).FullName);
}
