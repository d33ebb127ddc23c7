using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Hosting;

namespace Stout.Benchmarks.Grains;

/// <summary>A silo in this process, called without a network.</summary>
internal sealed class GrainSilo : IAsyncDisposable
{
    private static int _ports = 21_000;
    private readonly IHost _host;

    private GrainSilo(IHost host) => _host = host;

    private IGrainFactory Grains => _host.Services.GetRequiredService<IGrainFactory>();

    public static async Task<GrainSilo> StartAsync(Action<ISiloBuilder> configure)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Logging.SetMinimumLevel(LogLevel.Error);
        builder.UseOrleans(silo =>
        {
            // A service id of its own for each silo separates the states of silos that share a database.
            var port = Interlocked.Add(ref _ports, 2);
            silo.UseLocalhostClustering(port, port + 1, serviceId: $"bench{port}");
            configure(silo);
        });
        var host = builder.Build();
        await host.StartAsync();
        return new GrainSilo(host);
    }

    /// <summary>
    /// Calls grains. Each caller has grains of its own, unless there are fewer grains than callers. Each caller makes its next call when its last one is
    /// answered.
    /// </summary>
    /// <returns>The number of calls.</returns>
    public async Task<long> CallAsync<TGrain>(int grains, int callers, TimeSpan time, Func<IAccountGrain, Task> call)
        where TGrain : IAccountGrain
    {
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
        {
            var (random, done, own) = (new Random(caller), 0L, Math.Max(1, grains / callers));
            for (; Stopwatch.GetElapsedTime(start) < time; done++)
                await call(Find<TGrain>((caller % grains) + (random.Next(own) * callers)));
            return done;
        })));
        return counts.Sum();
    }

    /// <summary>Changes each grain once, so that it has a state.</summary>
    public Task BeginAsync<TGrain>(int grains)
        where TGrain : IAccountGrain =>
        Parallel.ForAsync(0, grains, new ParallelOptions { MaxDegreeOfParallelism = 64 }, async (grain, _) => await Find<TGrain>(grain).ChangeAsync());

    /// <summary>Activates grains that have a state, and deactivates them again.</summary>
    /// <returns>The number of activations.</returns>
    public async Task<long> ActivateAsync<TGrain>(int grains, int callers, TimeSpan time)
        where TGrain : IAccountGrain
    {
        var (start, done) = (Stopwatch.GetTimestamp(), 0L);
        while (Stopwatch.GetElapsedTime(start) < time)
        {
            await Parallel.ForAsync(0, grains, new ParallelOptions { MaxDegreeOfParallelism = callers }, async (grain, _) => await Find<TGrain>(grain).LeaveAsync());
            done += grains;
        }

        return done;
    }

    /// <summary>Makes changes as a lone caller, and returns the time of each in milliseconds.</summary>
    public async Task<List<double>> TimeAsync<TGrain>(TimeSpan time)
        where TGrain : IAccountGrain
    {
        var times = new List<double>();
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time;)
        {
            var sent = Stopwatch.GetTimestamp();
            await Find<TGrain>(times.Count % 50).ChangeAsync();
            times.Add(Stopwatch.GetElapsedTime(sent).TotalMilliseconds);
        }

        return times;
    }

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync();
        _host.Dispose();
    }

    private IAccountGrain Find<TGrain>(int key) => Grains.GetGrain<IAccountGrain>(key, typeof(TGrain).FullName);
}
