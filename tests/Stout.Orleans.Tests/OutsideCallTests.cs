using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Orleans.Storage;
using Stout.Orleans.Tests.Grains;
using Stout.Orleans.Tests.Import;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Tests;

/// <summary>Calls of a provider by code outside the grain: they never disturb its activation without need, never find a state absent that exists, and leave no key open.</summary>
public sealed class OutsideCallTests
{
    private const string Name = "counter";
    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;

    public static TheoryData<GrainOwnership> Ownerships => [GrainOwnership.None, GrainOwnership.Claim];

    [Theory]
    [InlineData(GrainOwnership.None, 16_400)]
    [InlineData(GrainOwnership.Claim, 100)]
    public async Task A_read_beside_a_write_in_flight_and_many_other_reads_finds_what_was_written(GrainOwnership ownership, int others)
    {
        await using var cluster = await Cluster.StartAsync(ownership);
        var grain = GrainId.Create("player", "one");
        var state = await cluster.WriteAsync(grain, 1);
        var old = state.ETag;

        var hold = cluster.Faults.Hold(HoldPoint.BeforeStore, HeldRequests.Writes);
        state.State = new TestState { Number = 2 };
        var writing = cluster.Storage.WriteStateAsync(Name, grain, state);
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
        await Parallel.ForAsync(0, others, Cancel, async (i, _) => await cluster.ReadAsync(GrainId.Create("player", $"other {i}")));
        var reading = cluster.ReadAsync(grain);
        hold.Release();
        await writing;
        var read = await reading;
        Assert.Equal((2, state.ETag, true), (read.State!.Number, read.ETag, read.RecordExists));

        foreach (var etag in new[] { old, null })
            await Assert.ThrowsAnyAsync<InconsistentStateException>(() => cluster.WriteAsync(grain, 3, etag));
        read = await cluster.ReadAsync(grain);
        Assert.Equal((2, state.ETag), (read.State!.Number, read.ETag));
    }

    [Theory, MemberData(nameof(Ownerships))]
    public async Task No_key_stays_open_after_the_calls(GrainOwnership ownership)
    {
        await using var cluster = await Cluster.StartAsync(ownership);
        for (var i = 0; i < 20; i++)
        {
            var grain = GrainId.Create("player", $"{i}");
            var state = await cluster.ReadAsync(grain);
            await cluster.Storage.WriteStateAsync(Name, grain, state);
            await Assert.ThrowsAnyAsync<InconsistentStateException>(() => cluster.WriteAsync(grain, 2));
            if (i % 2 == 0)
                await cluster.Storage.ClearStateAsync(Name, grain, state);
            Assert.Equal((0, 0), (cluster.SharedKeys, cluster.OpenKeys));
        }

        await Task.WhenAll(Enumerable.Range(0, 200).Select(async i => await cluster.ReadAsync(GrainId.Create("player", $"{i % 10}"))));
        Assert.Equal((0, 0), (cluster.SharedKeys, cluster.OpenKeys));
    }

    [Theory, MemberData(nameof(Ownerships))]
    public async Task A_read_whose_caller_gives_up_leaves_no_key_open(GrainOwnership ownership)
    {
        await using var cluster = await Cluster.StartAsync(ownership);
        var grain = GrainId.Create("player", "one");
        await cluster.WriteAsync(grain, 1);
        using var gone = CancellationTokenSource.CreateLinkedTokenSource(Cancel);
        var hold = cluster.Faults.Hold(HoldPoint.BeforeStore, HeldRequests.Reads);
        var reading = cluster.Storage.ReadStateAsync(Name, grain, new GrainState<TestState>(), gone.Token);
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading);
        hold.Release();
        // This call uses the key after the abandoned one.
        Assert.Equal(1, (await cluster.ReadAsync(grain)).State!.Number);
        while (cluster.SharedKeys > 0)
            await Task.Yield();
        Assert.Equal(0, cluster.OpenKeys);
    }

    [Theory, MemberData(nameof(Ownerships))]
    public async Task A_read_leaves_the_activation_its_state(GrainOwnership ownership)
    {
        await using var cluster = await Cluster.StartAsync(ownership);
        var grain = cluster.Grains.GetGrain<ICounterGrain>("one");
        for (var i = 1; i <= 3; i++)
        {
            Assert.Equal(i, await grain.AddAsync(1));
            Assert.Equal(i, (await cluster.ReadAsync(grain.GetGrainId())).State!.Number);
        }
    }

    [Fact]
    public async Task A_write_that_is_refused_leaves_the_activation_its_state_and_one_that_succeeds_fences_it()
    {
        await using var cluster = await Cluster.StartAsync(GrainOwnership.Claim);
        var grain = cluster.Grains.GetGrain<ICounterGrain>("one");
        await grain.AddAsync(1);
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => cluster.WriteAsync(grain.GetGrainId(), 7));
        await Assert.ThrowsAnyAsync<InconsistentStateException>(
            () => cluster.Storage.ClearStateAsync(Name, grain.GetGrainId(), new GrainState<TestState>(new TestState(), new string('1', 64))));
        Assert.Equal(2, await grain.AddAsync(1));

        var state = await cluster.ReadAsync(grain.GetGrainId());
        state.State = new TestState { Number = 7 };
        await cluster.Storage.WriteStateAsync(Name, grain.GetGrainId(), state);
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => grain.AddAsync(1));
        Assert.Equal(8, await grain.AddAsync(1));
    }

    /// <summary>The clear of a state that does not exist has nothing to claim.</summary>
    [Fact]
    public async Task A_clear_of_an_absent_state_leaves_the_activation_its_state()
    {
        await using var cluster = await Cluster.StartAsync(GrainOwnership.Claim);
        var grain = cluster.Grains.GetGrain<ICounterGrain>("one");
        await grain.ReadAsync();
        await cluster.Storage.ClearStateAsync(Name, grain.GetGrainId(), new GrainState<TestState>(new TestState()));
        Assert.Equal(1, await grain.AddAsync(1));
    }

    [Fact]
    public async Task Without_claims_an_outside_call_shares_the_key_of_the_activation()
    {
        await using var cluster = await Cluster.StartAsync(GrainOwnership.None);
        var grain = cluster.Grains.GetGrain<ICounterGrain>("one");
        await grain.AddAsync(1);
        Assert.Equal((1, 1), (cluster.SharedKeys, cluster.OpenKeys));
        var hold = cluster.Faults.Hold(HoldPoint.BeforeStore, HeldRequests.Writes);
        var adding = grain.AddAsync(1);
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
        var reading = cluster.ReadAsync(grain.GetGrainId());
        hold.Release();
        Assert.Equal(2, await adding);
        Assert.Equal(2, (await reading).State!.Number);
        Assert.Equal((1, 1), (cluster.SharedKeys, cluster.OpenKeys));
        await cluster.DeactivateAsync(grain);
        Assert.Equal((0, 0), (cluster.SharedKeys, cluster.OpenKeys));
    }

    /// <summary>A facet claims its key in a provider without claims, too. Its handle does not serve a call without a claim.</summary>
    [Fact]
    public async Task Without_claims_an_outside_call_never_uses_the_handle_of_a_facet()
    {
        await using var cluster = await Cluster.StartAsync(GrainOwnership.None);
        var cart = cluster.Grains.GetGrain<ICartGrain>("one", typeof(CartGrain).FullName);
        await cart.AddAsync("apple");
        var state = new GrainState<Cart>(new Cart());
        var unread = await Assert.ThrowsAsync<GrainStateNotReadException>(() => cluster.Storage.ReadStateAsync("cart", cart.GetGrainId(), state));
        Assert.IsType<FencedException>(unread.InnerException);
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => cluster.Storage.WriteStateAsync("cart", cart.GetGrainId(), state));
        Assert.Equal(2, await cart.AddAsync("pear"));
    }

    /// <summary>The other code of the client stands for a second key object of the same state.</summary>
    [Theory, MemberData(nameof(Ownerships))]
    public async Task A_key_that_other_code_of_the_client_has_open_is_read_anew(GrainOwnership ownership)
    {
        await using var cluster = await Cluster.StartAsync(ownership);
        var grain = cluster.Grains.GetGrain<ICounterGrain>("one");
        var state = await cluster.WriteAsync(grain.GetGrainId(), 5);
        await cluster.OpenElsewhereAsync(grain.GetGrainId());
        Assert.Equal(5, await grain.ReadAsync());
        await cluster.OpenElsewhereAsync(grain.GetGrainId());
        Assert.Equal((5, state.ETag), ((await cluster.ReadAsync(grain.GetGrainId())).State!.Number, state.ETag));
    }

    /// <summary>One silo on a store with faults.</summary>
    private sealed class Cluster : IAsyncDisposable
    {
        private readonly GrainOwnership _ownership;
        private InProcessTestCluster? _cluster;

        private Cluster(GrainOwnership ownership) => _ownership = ownership;

        public FaultyStore Faults { get; } = new(new InMemoryStore());

        public IGrainStorage Storage => _cluster!.StorageOf("Default");

        public IGrainFactory Grains => _cluster!.Client;

        public int SharedKeys => ((StoutGrainStorage)Storage).SharedKeys;

        public long OpenKeys => _cluster!.ClientOf("Default").GetStatistics().OpenKeys;

        public static async Task<Cluster> StartAsync(GrainOwnership ownership)
        {
            var cluster = new Cluster(ownership);
            cluster._cluster = await TestCluster.StartAsync(1, silo => silo.AddStoutGrainStorageAsDefault(
                stout => stout.UseStore(_ => cluster.Faults), (StoutGrainStorageOptions options) => options.Ownership = ownership));
            return cluster;
        }

        public async Task<GrainState<TestState>> WriteAsync(GrainId grain, int number, string? etag = null)
        {
            var state = new GrainState<TestState>(new TestState { Number = number }, etag);
            await Storage.WriteStateAsync(Name, grain, state, Cancel);
            return state;
        }

        public async Task<GrainState<TestState>> ReadAsync(GrainId grain)
        {
            var state = new GrainState<TestState>(new TestState());
            await Storage.ReadStateAsync(Name, grain, state, Cancel);
            return state;
        }

        /// <summary>Opens the grain's key, and takes the parts that were read.</summary>
        public async Task OpenElsewhereAsync(GrainId grain)
        {
            var (client, key) = (_cluster!.ClientOf("Default"), StateKeys.Of(_cluster!.Options.ServiceId, Name, grain));
            _ = _ownership == GrainOwnership.Claim ? await client.OpenClaimedAsync(key) : await client.OpenAsync(key);
        }

        public Task DeactivateAsync(IAddressable grain) => _cluster!.DeactivateAsync(grain);

        public ValueTask DisposeAsync() => _cluster!.DisposeAsync();
    }
}
