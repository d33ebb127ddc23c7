using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.Facet;
using Stout.Orleans.Storage;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Tests;

/// <summary>Migrations at moments when the key that is handed over is not simply the last value written.</summary>
[Collection(nameof(Alone))]
public sealed class HandOverTests
{
    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;

    /// <summary>The refused change has changed nothing, so the next activation goes on from the state before, without a claim.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task After_a_refused_change_the_next_activation_goes_on_from_the_state_before(bool isClear)
    {
        await using var cluster = await Cluster.StartAsync(deletes: true);
        using var counters = new Counters();
        var keeper = cluster.Keeper();
        var written = await keeper.WriteAsync(1, null);
        cluster.FaultsOf(keeper).FailNext(StoreFault.Refused);
        var refused = isClear ? await keeper.ClearAsync(written.ETag) : await keeper.WriteAsync(2, written.ETag);
        Assert.Equal(nameof(GrainStateNotWrittenException), refused.Errors[0]);
        await cluster.MoveAsync(keeper);
        var again = await keeper.WriteAsync(3, written.ETag);
        Assert.Empty(again.Errors);
        await cluster.MoveAsync(keeper);
        Assert.Equal((3, again.ETag), await NumberAsync(keeper));
        Assert.Equal(1, counters[StoutOrleansMeter.Claims]);
    }

    [Fact]
    public async Task After_a_fenced_write_the_next_activation_claims()
    {
        await using var cluster = await Cluster.StartAsync();
        var keeper = cluster.Keeper();
        var written = await keeper.WriteAsync(1, null);
        await cluster.ClaimElsewhereAsync("state", keeper);
        Assert.Equal(nameof(InconsistentStateException), (await keeper.WriteAsync(2, written.ETag)).Errors[0]);
        await cluster.MoveAsync(keeper);
        Assert.Empty((await keeper.WriteAsync(3, written.ETag)).Errors);
        Assert.Equal(3, (await NumberAsync(keeper)).Number);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_cleared_state_migrates_as_one_and_is_written_again(bool deletes)
    {
        await using var cluster = await Cluster.StartAsync(deletes);
        using var counters = new Counters();
        var keeper = cluster.Keeper();
        var cleared = await keeper.ClearAsync((await keeper.WriteAsync(1, null)).ETag);
        Assert.Empty(cleared.Errors);
        await cluster.MoveAsync(keeper);
        var again = await keeper.WriteAsync(2, cleared.ETag);
        Assert.Empty(again.Errors);
        await cluster.MoveAsync(keeper);
        Assert.Equal((2, again.ETag), await NumberAsync(keeper));
        Assert.Equal((1, 2), (counters[StoutOrleansMeter.Claims], counters[StoutOrleansMeter.Resumes]));
    }

    /// <summary>The mark of the cleared state must not stay beside the value, or the value would read as cleared.</summary>
    [Fact]
    public async Task A_facet_migrates_with_a_cleared_state_and_its_next_value_is_no_cleared_one()
    {
        await using var cluster = await Cluster.StartAsync();
        var cart = cluster.Cart();
        var state = new GrainState<Cart>(new Cart { Items = ["old"] });
        await cluster.Storage.WriteStateAsync("cart", cart.GetGrainId(), state, Cancel);
        await cluster.Storage.ClearStateAsync("cart", cart.GetGrainId(), state, Cancel);
        Assert.Empty(await cart.ItemsAsync());
        await cluster.MoveAsync(cart);
        Assert.Equal(1, await cart.AddAsync("apple"));
        await cluster.Storage.ReadStateAsync("cart", cart.GetGrainId(), state, Cancel);
        Assert.True(state.RecordExists);
        Assert.Equal(["apple"], state.State!.Items);
    }

    [Fact]
    public async Task A_facet_whose_change_was_refused_hands_nothing_over()
    {
        await using var cluster = await Cluster.StartAsync();
        var cart = cluster.Cart();
        await cart.AddAsync("apple");
        cluster.FaultsOf(cart).FailNext(StoreFault.Refused);
        await Assert.ThrowsAsync<GrainStateNotWrittenException>(() => cart.AddAsync("pear"));
        Assert.Equal(["apple"], await cart.ItemsAsync());
        await cluster.MoveAsync(cart);
        Assert.Equal(2, await cart.AddAsync("plum"));
    }

    /// <summary>The second activation does not use the key, so it hands over the position that it has got. Meanwhile another owner claims the key.</summary>
    [Fact]
    public async Task A_position_that_has_gone_stale_serves_no_write()
    {
        await using var cluster = await Cluster.StartAsync();
        using var counters = new Counters();
        var keeper = cluster.Keeper();
        var written = await keeper.WriteAsync(1, null);
        await cluster.MoveAsync(keeper);
        await cluster.MoveAsync(keeper);
        Assert.Equal((1, 0), (counters[StoutOrleansMeter.Claims], counters[StoutOrleansMeter.Resumes]));
        await cluster.ClaimElsewhereAsync("state", keeper);
        Assert.Equal(nameof(InconsistentStateException), (await keeper.WriteAsync(2, written.ETag)).Errors[0]);
        // A refused owner stays refused until it reads.
        Assert.Equal(nameof(InconsistentStateException), (await keeper.WriteAsync(2, written.ETag)).Errors[0]);
        var (number, etag) = await NumberAsync(keeper);
        Assert.Equal((1, written.ETag), (number, etag));
        Assert.Empty((await keeper.WriteAsync(3, etag)).Errors);
    }

    [Fact]
    public async Task A_facet_whose_position_has_gone_stale_reads_the_stored_state()
    {
        await using var cluster = await Cluster.StartAsync();
        var cart = cluster.Cart();
        await cart.AddAsync("apple");
        var epoch = await cart.EpochAsync();
        // The next activation's take-over waits before the store while another owner claims the key.
        var hold = cluster.FaultsOf(cart, other: true).Hold(HoldPoint.BeforeStore, HeldRequests.Reads);
        var moving = cluster.MoveAsync(cart);
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
        await cluster.ClaimElsewhereAsync("cart", cart);
        hold.Release();
        await moving;
        Assert.Equal(["apple"], await cart.ItemsAsync());
        Assert.Equal(epoch + 2, await cart.EpochAsync());
        Assert.Equal(2, await cart.AddAsync("pear"));
    }

    [Fact]
    public async Task A_facet_whose_handed_over_state_has_gone_stale_forgets_it()
    {
        await using var cluster = await Cluster.StartAsync();
        var cart = cluster.Cart();
        await cart.AddAsync("apple");
        await cart.SetPartAsync("address", "here");
        var hold = cluster.FaultsOf(cart, other: true).Hold(HoldPoint.BeforeStore, HeldRequests.Reads);
        var moving = cluster.MoveAsync(cart);
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
        await cluster.ClaimElsewhereAsync("cart", cart, deletes: true);
        hold.Release();
        await moving;
        Assert.Empty(await cart.ItemsAsync());
        Assert.Empty(await cart.PartsAsync());
        Assert.Equal(1, await cart.AddAsync("pear"));
    }

    private static async Task<(int Number, string? ETag)> NumberAsync(IKeeperGrain keeper)
    {
        var read = await keeper.ReadAsync();
        Assert.Empty(read.Errors);
        return (read.Number, read.ETag);
    }

    /// <summary>Two silos on one store, each with faults of its own.</summary>
    private sealed class Cluster : IAsyncDisposable
    {
        private readonly InMemoryStore _store = new();
        private InProcessTestCluster? _cluster;

        public IGrainStorage Storage => _cluster!.StorageOf("Default");

        public static async Task<Cluster> StartAsync(bool deletes = false)
        {
            var cluster = new Cluster();
            cluster._cluster = await TestCluster.StartAsync(2, silo =>
            {
                var faults = new FaultyStore(cluster._store.Connect());
                silo.Services.AddSingleton(_ => faults);
                silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => faults), (StoutGrainStorageOptions options) => options.DeleteStateOnClear = deletes);
            });
            return cluster;
        }

        public IKeeperGrain Keeper() => _cluster!.Client.GetGrain<IKeeperGrain>(Guid.NewGuid().ToString("N"));

        public ICartGrain Cart() => _cluster!.Client.GetGrain<ICartGrain>(Guid.NewGuid().ToString("N"), typeof(CartGrain).FullName);

        /// <summary>The faults of the silo that has the grain, or those of the other one.</summary>
        public FaultyStore FaultsOf(IAddressable grain, bool other = false)
        {
            var silo = SiloOf(grain);
            return _cluster!.Silos.Single(one => one.SiloAddress.Equals(silo) != other).ServiceProvider.GetRequiredService<FaultyStore>();
        }

        /// <summary>Moves a grain to the other silo.</summary>
        public Task MoveAsync(IAddressable grain)
        {
            var silo = SiloOf(grain);
            return _cluster!.MigrateAsync(grain, _cluster.Silos.Single(one => !one.SiloAddress.Equals(silo)).SiloAddress);
        }

        /// <summary>Claims the grain's key as another process would, and may delete the state.</summary>
        public async Task ClaimElsewhereAsync(string state, IAddressable grain, bool deletes = false)
        {
            await using var other = await StoutClient.OpenAsync(_store.Connect(), cancellationToken: Cancel);
            var opened = await other.OpenClaimedAsync(StateKeys.Of(_cluster!.Options.ServiceId, state, grain.GetGrainId()), cancellationToken: Cancel);
            if (deletes)
                await opened.Handle.WriteAsync(new KeyChange { ReplacesObject = true }, Cancel);
        }

        public ValueTask DisposeAsync() => _cluster!.DisposeAsync();

        private SiloAddress SiloOf(IAddressable grain)
        {
            Assert.True(_cluster!.TryGetGrainContext(grain.GetGrainId(), out var context));
            return context.Address.SiloAddress!;
        }
    }
}
