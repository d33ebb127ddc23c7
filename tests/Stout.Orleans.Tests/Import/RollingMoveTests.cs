using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Runtime.Placement;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Orleans.Import;
using Stout.Orleans.Tests.Grains;

namespace Stout.Orleans.Tests.Import;

/// <summary>A cluster that moves from Orleans' ADO.NET storage silo by silo: the first silo has the former registration, the second one has Stout's.</summary>
[Collection(nameof(Alone))]
public sealed class RollingMoveTests
{
    private const int Grains = 20;

    [Fact(Timeout = 600_000)]
    public async Task Once_the_new_silo_has_a_state_the_former_one_neither_writes_nor_reads_it()
    {
        Assert.SkipWhen(Servers.MissingPostgreSql is not null, Servers.MissingPostgreSql ?? "");
        await using var schema = await AdoNetSchema.CreateAsync();
        await using var cluster = await StartAsync(schema);
        var (former, next, refused, unread) = (FormerOf(cluster).SiloAddress, NextOf(cluster), 0, 0);
        await ForEachAsync(cluster, async (grain, i) =>
        {
            await AtAsync(former, () => grain.AddAsync(i));
            // Reads the state through the new silo's storage, as a second activation does after a split of the directory.
            var state = new GrainState<TestState>(new TestState());
            await next.ServiceProvider.GetRequiredKeyedService<IGrainStorage>("Default").ReadStateAsync("counter", grain.GetGrainId(), state);
            Assert.Equal(i, state.State!.Number);
            await Assert.ThrowsAsync<InconsistentStateException>(() => grain.AddAsync(1));
            Interlocked.Increment(ref refused);

            // Orleans can't send the serializer's error itself, so the caller's error contains its name.
            await Until(async () => await Record.ExceptionAsync(() => AtAsync(former, grain.ReadAsync)) is { } error && error.Message.Contains("JsonSerializationException", StringComparison.Ordinal));
            Interlocked.Increment(ref unread);
        });
        await cluster.StopSiloAsync(FormerOf(cluster), TestContext.Current.CancellationToken);
        await ForEachAsync(cluster, async (grain, i) =>
        {
            await Until(async () => await Record.ExceptionAsync(grain.ReadAsync) is null);
            Assert.Equal(i + 1, await grain.AddAsync(1));
        });
        Assert.Equal((Grains, Grains), (refused, unread));
        Assert.All(await schema.PayloadsAsync(), payload => Assert.True(payload is null or $"\"{FormerStorage.Fence}\"", payload));
    }

    [Fact(Timeout = 600_000)]
    public async Task No_acknowledged_write_is_lost_when_the_former_silo_stops_under_load()
    {
        Assert.SkipWhen(Servers.MissingPostgreSql is not null, Servers.MissingPostgreSql ?? "");
        await using var schema = await AdoNetSchema.CreateAsync();
        await using var cluster = await StartAsync(schema);
        var former = FormerOf(cluster);
        await ForEachAsync(cluster, (grain, i) => AtAsync(former.SiloAddress, () => grain.AddAsync(i)));
        var stopping = new TaskCompletionSource();
        var load = ForEachAsync(cluster, async (grain, i) =>
        {
            var acknowledged = i;
            // Calls the grain before, during and after the stop of the former silo.
            for (var after = 0; after < 3; after += stopping.Task.IsCompleted ? 1 : 0)
            {
                int? answer = null;
                await Until(async () => await Record.ExceptionAsync(async () => answer = await grain.AddAsync(1)) is null);
                Assert.InRange(answer!.Value, acknowledged + 1, int.MaxValue);
                acknowledged = answer.Value;
            }

            Assert.Equal(acknowledged, await grain.RereadAsync());
        });
        await cluster.StopSiloAsync(former, TestContext.Current.CancellationToken);
        stopping.SetResult();
        await load;
    }

    private static InProcessSiloHandle NextOf(InProcessTestCluster cluster) =>
        cluster.Silos.Single(silo => silo.ServiceProvider.GetKeyedService<IGrainStorage>("former") is not null);

    private static InProcessSiloHandle FormerOf(InProcessTestCluster cluster) => cluster.Silos.Single(silo => silo != NextOf(cluster));

    /// <summary>Calls a grain with a placement hint: if the grain is not active, Orleans activates it at the silo.</summary>
    private static async Task<T> AtAsync<T>(SiloAddress silo, Func<Task<T>> call)
    {
        RequestContext.Set(IPlacementDirector.PlacementHintKey, silo);
        try
        {
            return await call();
        }
        finally
        {
            RequestContext.Remove(IPlacementDirector.PlacementHintKey);
        }
    }

    /// <summary>Repeats a call until it succeeds, since the call may reach an activation that ends, or a silo that can't read the state.</summary>
    private static async Task Until(Func<Task<bool>> attempt)
    {
        while (!await attempt())
            TestContext.Current.CancellationToken.ThrowIfCancellationRequested();
    }

    private static Task ForEachAsync(InProcessTestCluster cluster, Func<ICounterGrain, int, Task> call) => Parallel.ForAsync(
        0,
        Grains,
        new ParallelOptions { MaxDegreeOfParallelism = 8, CancellationToken = TestContext.Current.CancellationToken },
        async (i, _) => await call(cluster.Client.GetGrain<ICounterGrain>($"{i}"), i));

    private static async Task<InProcessTestCluster> StartAsync(AdoNetSchema schema)
    {
        var builder = new InProcessTestClusterBuilder(2);
        builder.Options.ConfigureFileLogging = false;
        var (own, silos) = (Servers.NewName(), 0);
        builder.ConfigureSilo((_, silo) =>
        {
            if (Interlocked.Increment(ref silos) == 1)
            {
                schema.Add(silo, "Default");
                return;
            }

            schema.Add(silo, "former");
            silo.AddStoutGrainStorageAsDefault(stout => Servers.UsePostgreSql(stout, own), (StoutGrainStorageOptions options) => options.ImportFrom = "former");
        });
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }
}
