using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Orleans.Storage;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Tests;

/// <summary>The facet: a call returns only durable state.</summary>
public sealed class FacetTests(FacetTests.Cluster cluster) : IClassFixture<FacetTests.Cluster>
{
    private static readonly bool[] Confirmations = [true, false];

    [Fact]
    public async Task Changes_parts_and_removals_are_there_in_the_next_activation()
    {
        var cart = cluster.Cart();
        Assert.Equal(1, await cart.AddAsync("apple"));
        Assert.Equal(2, await cart.AddAsync("pear"));
        await cart.SetPartAsync("address", "here");
        await cart.SetPartAsync("note", "soon");
        Assert.True(await cart.RemovePartAsync("note"));
        Assert.False(await cart.RemovePartAsync("note"));
        await cluster.DeactivateAsync(cart);
        Assert.Equal(["apple", "pear"], await cart.ItemsAsync());
        Assert.Equal([new("address", "here")], await cart.PartsAsync());

        await cart.ClearAsync();
        await cart.SetPartAsync("late", "later");
        await cluster.DeactivateAsync(cart);
        Assert.Empty(await cart.ItemsAsync());
        Assert.Equal([new("late", "later")], await cart.PartsAsync());
    }

    [Fact]
    public async Task A_grain_whose_key_exceeds_256_bytes_has_its_state_in_the_next_activation()
    {
        foreach (var end in new[] { "1", "2" })
        {
            var cart = cluster.Cart(key: new string('k', 300) + end);
            Assert.Equal(1, await cart.AddAsync("apple " + end));
            await cart.SetPartAsync("address", end);
            await cluster.DeactivateAsync(cart);
            Assert.Equal(["apple " + end], await cart.ItemsAsync());
            Assert.Equal([new("address", end)], await cart.PartsAsync());
        }
    }

    [Fact]
    public async Task Functions_with_asynchronous_results_do_not_run_and_change_nothing()
    {
        var cart = cluster.Cart();
        await cart.AddAsync("apple");
        Assert.Equal(0, await cart.ChangeLaterAsync());
        Assert.Equal(["apple"], await cart.ItemsAsync());
    }

    [Fact]
    public async Task Calls_that_interleave_share_writes_and_lose_nothing()
    {
        var cart = cluster.Cart();
        await cart.AddAsync("first");
        var before = cluster.Client.GetStatistics().KeysWritten;
        var counts = await Task.WhenAll(Enumerable.Range(0, 500).Select(i => cart.AddAsync($"{i}")));
        Assert.Equal(Enumerable.Range(2, 500), counts.Order());
        Assert.InRange(cluster.Client.GetStatistics().KeysWritten - before, 1, 499);
        await cluster.DeactivateAsync(cart);
        Assert.Equal(501, (await cart.ItemsAsync()).Count);
    }

    [Fact]
    public async Task A_function_that_throws_before_it_changes_anything_leaves_the_activation_as_it_is()
    {
        var cart = cluster.Cart();
        await cart.AddAsync("apple");
        var activation = await cart.ActivationAsync();
        await Assert.ThrowsAsync<ArgumentException>(() => cart.ThrowAsync(afterChange: false));
        Assert.Equal(activation, await cart.ActivationAsync());
        Assert.Equal(["apple"], await cart.ItemsAsync());
    }

    [Fact]
    public async Task A_function_that_throws_after_a_change_ends_the_activation_and_the_change()
    {
        var cart = cluster.Cart();
        await cart.AddAsync("apple");
        var activation = await cart.ActivationAsync();
        await Assert.ThrowsAsync<GrainStateNotWrittenException>(() => cart.ThrowAsync(afterChange: true));
        Assert.Equal(["apple"], await cart.ItemsAsync());
        Assert.NotEqual(activation, await cart.ActivationAsync());
    }

    [Fact]
    public async Task Each_activation_has_a_higher_epoch()
    {
        var cart = cluster.Cart();
        var first = await cart.EpochAsync();
        await cart.AddAsync("apple");
        Assert.Equal(first, await cart.EpochAsync());
        await cluster.DeactivateAsync(cart);
        Assert.Equal(first + 1, await cart.EpochAsync());
        await cluster.ClaimElsewhereAsync(cart);
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => cart.AddAsync("pear"));
        Assert.Equal(first + 3, await cart.EpochAsync());
    }

    [Fact]
    public async Task Names_of_parts_that_are_reserved_are_refused()
    {
        var cart = cluster.Cart();
        await Assert.ThrowsAsync<ArgumentException>(() => cart.SetPartAsync("$cleared", "x"));
        Assert.Empty(await cart.PartsAsync());
    }

    [Fact]
    public async Task A_state_is_not_used_outside_of_the_turns_of_its_grain()
    {
        var cart = cluster.Cart();
        await cart.AddAsync("apple");
        await Assert.ThrowsAsync<InvalidOperationException>(() => cart.ReadElsewhereAsync());
    }

    [Fact]
    public async Task A_change_that_another_owner_has_fenced_fails_the_call_and_the_next_activation_reads()
    {
        var cart = cluster.Cart();
        await cart.AddAsync("apple");
        await cluster.ClaimElsewhereAsync(cart);
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => cart.AddAsync("pear"));
        Assert.Equal(["apple"], await cart.ItemsAsync());
        Assert.Equal(2, await cart.AddAsync("plum"));
    }

    [Fact]
    public async Task Calls_that_come_while_a_fenced_activation_ends_go_to_the_next_one()
    {
        var cart = cluster.Cart(typeof(LeavingCartGrain));
        await cart.AddAsync("apple");
        await cluster.ClaimElsewhereAsync(cart);
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => cart.AddAsync("pear"));
        var waiting = cart.AddAsync("plum");
        await cluster.Cart().ItemsAsync(); // This call takes the same route as the waiting call, and so arrives after it.
        LeavingCartGrain.MayLeave.SetResult();
        Assert.Equal(2, await waiting);
    }

    [Fact]
    public async Task A_state_that_grain_storage_has_written_is_read_and_goes_on()
    {
        var cart = cluster.Cart();
        var state = new GrainState<Cart>(new Cart { Items = ["old"] });
        await cluster.Storage.WriteStateAsync("cart", cart.GetGrainId(), state);
        Assert.Equal(2, await cart.AddAsync("new"));
        await cluster.DeactivateAsync(cart);
        await cluster.Storage.ReadStateAsync("cart", cart.GetGrainId(), state);
        Assert.Equal(["old", "new"], state.State!.Items);

        await cluster.Storage.ClearStateAsync("cart", cart.GetGrainId(), state);
        await cluster.DeactivateAsync(cart);
        Assert.Empty(await cart.ItemsAsync());
        Assert.Equal(1, await cart.AddAsync("again"));
        await cluster.DeactivateAsync(cart);
        Assert.Equal(["again"], await cart.ItemsAsync());
    }

    [Fact]
    public async Task A_state_whose_last_part_a_facet_has_removed_is_a_cleared_one_for_grain_storage()
    {
        var cart = cluster.Cart();
        await cart.AddAsync("apple");
        Assert.True(await cart.RemovePartAsync(""));
        await cluster.DeactivateAsync(cart);
        var state = new GrainState<Cart>(new Cart());
        await cluster.Storage.ReadStateAsync("cart", cart.GetGrainId(), state);
        Assert.False(state.RecordExists);
        state.State = new Cart { Items = ["old"] };
        await cluster.Storage.WriteStateAsync("cart", cart.GetGrainId(), state);
        await cluster.DeactivateAsync(cart);
        Assert.Equal(["old"], await cart.ItemsAsync());
    }

    [Fact]
    public async Task A_confirmed_reply_is_not_given_once_another_owner_has_claimed_and_one_from_memory_is()
    {
        foreach (var confirms in Confirmations)
        {
            var cart = cluster.Cart(confirms ? typeof(ConfirmedCartGrain) : typeof(CartGrain));
            Assert.Equal(1, await cart.AddAsync("apple"));
            Assert.Equal(["apple"], await cart.ItemsAsync());
            await cluster.ClaimElsewhereAsync(cart);
            if (confirms)
                await Assert.ThrowsAnyAsync<InconsistentStateException>(cart.ItemsAsync);
            else
                Assert.Equal(["apple"], await cart.ItemsAsync());
        }
    }

    /// <summary>Another owner claims the key after the store has applied a change, and before the store has answered.</summary>
    [Fact]
    public async Task A_confirmed_reply_beside_a_change_in_flight_is_not_given_once_another_owner_has_claimed()
    {
        var cart = cluster.Cart(typeof(ConfirmedCartGrain));
        await cart.AddAsync("apple");
        using var hold = cluster.Faults.Hold(HoldPoint.AfterStore, HeldRequests.Writes);
        var adding = cart.AddAsync("pear");
        await hold.WaitUntilHeldAsync(cancellationToken: TestContext.Current.CancellationToken);
        await cluster.ClaimElsewhereAsync(cart);
        var reading = cart.ItemsAsync();

        // The call at the gate takes the same route as the read. So the read's reply waits already.
        var passing = cart.PassGateAsync();
        await cluster.Gate.Reached;
        hold.Release();

        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => reading);
        cluster.Gate.Open();
        await Record.ExceptionAsync(() => Task.WhenAll(adding, passing));
        Assert.Equal(["apple", "pear"], await cart.ItemsAsync());
    }

    /// <summary>
    /// Another owner claims the key while a call waits at the gate. The activation then fails through another call's change, or through the confirmation
    /// of the first call's reply.
    /// </summary>
    [Fact]
    public async Task A_call_that_made_something_durable_is_not_told_that_nothing_was_written()
    {
        foreach (var confirms in Confirmations)
        {
            var cart = cluster.Cart(confirms ? typeof(ConfirmedCartGrain) : typeof(CartGrain));
            var adding = cart.AddAndWaitAsync("apple");
            await cluster.Gate.Reached;
            await cluster.ClaimElsewhereAsync(cart);
            if (!confirms)
                Assert.IsNotType<GrainStateOutcomeUnknownException>(await Assert.ThrowsAnyAsync<InconsistentStateException>(() => cart.AddAsync("pear")));
            cluster.Gate.Open();
            await Assert.ThrowsAsync<GrainStateOutcomeUnknownException>(() => adding);
            Assert.Equal(["apple"], await cart.ItemsAsync());
        }
    }

    /// <summary>One silo with a store in memory.</summary>
    public sealed class Cluster : IAsyncLifetime
    {
        private readonly InMemoryStore _store = new();
        private InProcessTestCluster? _cluster;

        public FaultyStore Faults { get; private set; } = null!;

        public StoutClient Client => _cluster!.ClientOf("Default");

        public IGrainStorage Storage => _cluster!.StorageOf("Default");

        public Gate Gate { get; } = new();

        public ICartGrain Cart(Type? grainClass = null, string? key = null) =>
            _cluster!.Client.GetGrain<ICartGrain>(key ?? Guid.NewGuid().ToString("N"), (grainClass ?? typeof(CartGrain)).FullName);

        /// <summary>Claims the grain's key as another process would.</summary>
        public async Task ClaimElsewhereAsync(ICartGrain grain)
        {
            await using var other = await StoutClient.OpenAsync(_store.Connect());
            await other.ClaimAsync(StateKeys.Of(_cluster!.Options.ServiceId, "cart", grain.GetGrainId()));
        }

        public Task DeactivateAsync(ICartGrain grain) => _cluster!.DeactivateAsync(grain);

        public async ValueTask InitializeAsync()
        {
            Faults = new FaultyStore(_store.Connect());
            _cluster = await TestCluster.StartAsync(1, silo =>
            {
                silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => Faults));
                silo.Services.AddSingleton(Gate);
            });
        }

        public async ValueTask DisposeAsync() => await _cluster!.DisposeAsync();
    }
}
