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
            // Silos that share a database have states of their own.
            var port = Interlocked.Add(ref _ports, 2);
            silo.UseLocalhostClustering(port, port + 1, serviceId: $"bench{port}");
            configure(silo);
        });
        var host = builder.Build();
        await host.StartAsync();
        return new GrainSilo(host);
    }

    /// <summary>Changes grains' states: each caller has grains of its own, and makes the next change when the last is durable.</summary>
    /// <returns>The number of changes.</returns>
    public async Task<long> ChangeAsync<TGrain>(int grains, int callers, TimeSpan time)
        where TGrain : IAccountGrain
    {
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
        {
            var (random, done, own) = (new Random(caller), 0L, Math.Max(1, grains / callers));
            for (; Stopwatch.GetElapsedTime(start) < time; done++)
                await Find<TGrain>((caller % grains) + (random.Next(own) * callers)).ChangeAsync();
            return done;
        })));
        return counts.Sum();
    }

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

    /// <summary>How long each of a lone caller's changes takes.</summary>
    public async Task<IReadOnlyList<TimeSpan>> TimeAsync<TGrain>(int changes)
        where TGrain : IAccountGrain
    {
        var times = new TimeSpan[changes];
        for (var i = 0; i < changes; i++)
        {
            var start = Stopwatch.GetTimestamp();
            await Find<TGrain>(i % 50).ChangeAsync();
            times[i] = Stopwatch.GetElapsedTime(start);
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
