using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.Storage;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;

namespace Stout.Orleans.Tests.Providers;

/// <summary>Providers of one client that have the same keys, and providers whose prefixes separate their keys.</summary>
[Collection(nameof(Alone))]
public sealed class SharedKeysTests
{
    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(GrainOwnership.Claim)]
    [InlineData(GrainOwnership.None)]
    public async Task A_state_that_one_provider_has_used_is_refused_by_the_other(GrainOwnership ownership)
    {
        await using var cluster = await StartAsync(1, "first", "second", options => options.Ownership = ownership);
        var (left, right, grain) = (cluster.StorageOf("first"), cluster.StorageOf("second"), GrainId.Create("user", "1"));
        var written = await WriteAsync(left, "name", grain, 1);
        var state = new GrainState<TestState>(new TestState { Number = 2 });

        var refused = await Assert.ThrowsAsync<GrainStateOfOtherProviderException>(() => right.ReadStateAsync("name", grain, state));
        await Assert.ThrowsAsync<GrainStateOfOtherProviderException>(() => right.WriteStateAsync("name", grain, state));
        await Assert.ThrowsAsync<GrainStateOfOtherProviderException>(() => right.ClearStateAsync("name", grain, state));

        Assert.Equal(("name", grain, "second", "first"), (refused.StateName, refused.GrainId, refused.Provider, refused.Owner));
        await left.WriteStateAsync("name", grain, written);
        // Other states of the same grain, and the same state of another grain type, are free.
        await WriteAsync(right, "address", grain, 3);
        await WriteAsync(right, "name", GrainId.Create("shop", "1"), 4);
    }

    /// <summary>A tool may call the wrong provider before the right one has used the state.</summary>
    [Theory]
    [InlineData(GrainOwnership.Claim)]
    [InlineData(GrainOwnership.None)]
    public async Task Neither_a_read_nor_an_erasure_from_outside_makes_a_state_that_of_the_provider(GrainOwnership ownership)
    {
        await using var cluster = await StartAsync(1, "right", "wrong", options => options.Ownership = ownership);
        var (right, wrong, grain) = (cluster.StorageOf("right"), cluster.StorageOf("wrong"), GrainId.Create("user", "1"));

        Assert.Equal(0, await ReadAsync(wrong, "read", grain));
        Assert.Equal(ErasureOutcome.Absent, Assert.Single(await wrong.EraseAsync([("erased", grain)], Cancel)).Outcome);

        foreach (var name in new[] { "read", "erased" })
        {
            await WriteAsync(right, name, grain, 1);
            await Assert.ThrowsAsync<GrainStateOfOtherProviderException>(() => ReadAsync(wrong, name, grain));
            Assert.IsType<GrainStateOfOtherProviderException>(Assert.Single(await wrong.EraseAsync([(name, grain)], Cancel)).Error);
            Assert.Equal(1, await ReadAsync(right, name, grain));
        }
    }

    [Fact]
    public async Task A_declared_state_belongs_to_its_provider_before_any_activation()
    {
        await using var cluster = await TestCluster.StartAsync(1, static silo =>
        {
            silo.AddStoutGrainStorageAsDefault(static stout => stout.UseInMemory());
            silo.AddSharedStoutGrainStorage("PubSubStore", "Default");
            silo.AddSharedStoutGrainStorage("profiles", "Default");
        });
        var trio = cluster.Client.GetGrain<ITrioGrain>("1");

        var refused = await Assert.ThrowsAsync<GrainStateOfOtherProviderException>(() => ReadAsync(cluster.StorageOf("Default"), "two", trio.GetGrainId()));

        Assert.Equal("PubSubStore", refused.Owner);
        await trio.WriteAsync(5);
        Assert.Equal(5, await ReadAsync(cluster.StorageOf("PubSubStore"), "two", trio.GetGrainId()));
        await Assert.ThrowsAsync<GrainStateOfOtherProviderException>(() => WriteAsync(cluster.StorageOf("profiles"), "one", trio.GetGrainId(), 6));
    }

    [Fact]
    public async Task A_class_that_declares_a_state_in_two_providers_with_the_same_keys_is_refused_when_the_silo_starts()
    {
        using var host = Build(static silo =>
        {
            silo.AddSharedStoutGrainStorage("right", "left");
            silo.AddStoutGrainStorage("left", static stout => stout.UseInMemory());
        });
        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(() => host.StartAsync(Cancel));
        Assert.Contains($"{typeof(PairGrain).FullName} declares the state 'kept' in the storages 'left' and 'right'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Prefixes_separate_states_of_one_name_also_when_the_grain_migrates()
    {
        await using var cluster = await StartAsync(2, "left", "right", static options => options.KeyPrefix = "right");
        var grain = cluster.Client.GetGrain<IPairGrain>("1", typeof(PairGrain).FullName);
        using var counters = new Counters();
        await grain.WriteAsync(1, 2);
        for (var move = 0; move < 2; move++)
        {
            Assert.True(cluster.TryGetGrainContext(grain.GetGrainId(), out var context));
            await cluster.MigrateAsync(grain, cluster.Silos.First(silo => !silo.SiloAddress.Equals(context.Address.SiloAddress)).SiloAddress);
            Assert.Equal((int[])[1 + move, 2 + move, 1 + move, 2 + move], await grain.ReadAsync());
            await grain.WriteAsync(2 + move, 3 + move);
        }

        // Each of the four keys was claimed once, and reopened after both moves.
        Assert.Equal((4, 8, 0), (counters[StoutOrleansMeter.Claims], counters[StoutOrleansMeter.Resumes], counters[StoutOrleansMeter.Losses]));
        await cluster.DeactivateAsync(grain);
        Assert.Equal((int[])[3, 4, 3, 4], await grain.ReadAsync());
        var id = grain.GetGrainId();
        Assert.Equal((3, 4), (await ReadAsync(cluster.StorageOf("left"), "kept", id), await ReadAsync(cluster.StorageOf("right"), "kept", id)));
        List<string> keys = [];
        await foreach (var key in cluster.ClientOf("left").ListKeysAsync("", Cancel))
            keys.Add(key.Text);
        var service = cluster.Options.ServiceId;
        Assert.Equal([$"/right/{service}/facet/pair/1", $"/right/{service}/kept/pair/1", $"{service}/facet/pair/1", $"{service}/kept/pair/1"], keys.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task States_are_imported_from_the_keys_without_a_prefix()
    {
        await using var cluster = await StartAsync(1, "left", "right", static options => (options.KeyPrefix, options.ImportFrom) = ("right", "left"));
        var (left, right, grain) = (cluster.StorageOf("left"), cluster.StorageOf("right"), GrainId.Create("user", "1"));
        var written = await WriteAsync(left, "name", grain, 1);

        Assert.Equal(1, await ReadAsync(right, "name", grain));

        await Assert.ThrowsAsync<InconsistentStateException>(() => left.WriteStateAsync("name", grain, written));
        Assert.Equal(1, await ReadAsync(right, "name", grain));
    }

    /// <summary>
    /// Orleans itself hands persistent states over by their names alone: after a migration, both states of <see cref="MixedGrain"/> would have the value of
    /// one.
    /// </summary>
    [Fact]
    public async Task A_class_with_a_persistent_state_of_one_name_in_two_providers_is_refused_when_it_is_called()
    {
        await using var cluster = await StartAsync(1, "left", "right", static options => options.KeyPrefix = "right");
        var grain = cluster.Client.GetGrain<IPairGrain>("1", typeof(MixedGrain).FullName);
        var error = await Assert.ThrowsAnyAsync<Exception>(() => grain.ReadAsync());
        Assert.Contains("declares the persistent state 'mixed' in several storages", error.ToString(), StringComparison.Ordinal);
    }

    /// <summary>An import from a provider with the same keys would copy each state to itself and fence it.</summary>
    [Theory]
    [InlineData(nameof(StoutGrainStorageOptions.ImportFrom), "the grain storage 'other' has the same keys")]
    [InlineData(nameof(StoutGrainStorageOptions.KeyPrefix), "it must have 1 to 100 characters")]
    public async Task Options_that_mix_keys_are_refused_when_the_silo_starts(string option, string told)
    {
        using var host = Build(silo => silo
            .AddStoutGrainStorage("other", static stout => stout.UseInMemory())
            .AddSharedStoutGrainStorage("bad", "other", options => _ = option == nameof(options.KeyPrefix) ? options.KeyPrefix = "" : options.ImportFrom = "other"));
        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(() => host.StartAsync(Cancel));
        Assert.Contains($"The option {option} of the Stout grain storage 'bad' is invalid: {told}", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_provider_that_shares_no_store_of_another_one_is_refused_when_the_silo_starts()
    {
        using var host = Build(static silo => silo.AddSharedStoutGrainStorage("lonely", "nowhere"));
        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(() => host.StartAsync(Cancel));
        Assert.Contains("'nowhere', which is no Stout grain storage with a store of its own", error.Message, StringComparison.Ordinal);
    }

    /// <summary>An application may make names of states at run time.</summary>
    [Fact]
    public void The_states_that_are_told_apart_are_bounded()
    {
        using var host = Build(static silo => silo.AddStoutGrainStorage("a", static stout => stout.UseInMemory()).AddSharedStoutGrainStorage("b", "a"));
        var space = host.Services.GetRequiredService<KeySpaces>().Of("a")!;
        Assert.Same(space, host.Services.GetRequiredService<KeySpaces>().Of("b"));
        var grain = GrainId.Create("user", "1");
        for (var i = 0; i < KeySpace.MostStates + 10; i++)
            space.Enter("a", $"{i}", grain);
        Assert.Equal(KeySpace.MostStates, space.Count);
        Assert.Throws<GrainStateOfOtherProviderException>(() => space.Enter("b", "0", grain));
        space.Enter("b", $"{KeySpace.MostStates}", grain);
    }

    private static async Task<GrainState<TestState>> WriteAsync(IGrainStorage storage, string name, GrainId grain, int number)
    {
        var state = new GrainState<TestState>(new TestState { Number = number });
        await storage.WriteStateAsync(name, grain, state);
        return state;
    }

    private static async Task<int> ReadAsync(IGrainStorage storage, string name, GrainId grain)
    {
        var state = new GrainState<TestState>(new TestState());
        await storage.ReadStateAsync(name, grain, state);
        return state.State!.Number;
    }

    private static IHost Build(Action<ISiloBuilder> configure)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.UseOrleans(silo => configure(silo.UseLocalhostClustering()));
        return builder.Build();
    }

    private static Task<InProcessTestCluster> StartAsync(short silos, string own, string shared, Action<StoutGrainStorageOptions> configureShared)
    {
        var store = new InMemoryStore();
        return TestCluster.StartAsync(silos, silo => silo
            .AddStoutGrainStorage(own, stout => stout.UseStore(_ => store.Connect()))
            .AddSharedStoutGrainStorage(shared, own, configureShared));
    }
}
