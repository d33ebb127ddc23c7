using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Orleans.Storage;
using Stout.Orleans.Tests.Grains;
using Stout.Orleans.Tests.Import;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Tests.Erasing;

/// <summary>The erasure of states beside live activations.</summary>
[Collection(nameof(Alone))]
public sealed class ErasureTests
{
    // Only a failing test waits that long.
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(1);

    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(GrainOwnership.Claim)]
    [InlineData(GrainOwnership.None)]
    public async Task A_live_activation_ends_and_the_next_one_has_no_state(GrainOwnership ownership)
    {
        await using var cluster = await StartAsync(2, options => options.Ownership = ownership);
        var (counter, cart) = (cluster.Client.GetGrain<ICounterGrain>("person"), cluster.Client.GetGrain<ICartGrain>("person", typeof(CartGrain).FullName));
        var other = cluster.Client.GetGrain<ICounterGrain>("other");
        await Task.WhenAll(counter.AddAsync(5), cart.AddAsync("item"), cart.SetPartAsync("part", "item"), other.AddAsync(1));
        var activations = new[] { ContextOf(cluster, counter), ContextOf(cluster, cart) };
        (string, GrainId)[] states = [("counter", counter.GetGrainId()), ("cart", cart.GetGrainId()), ("cart", GrainId.Create(cart.GetGrainId().Type, "nobody"))];

        var erased = await cluster.StorageOf("Default").EraseAsync(states, Cancel);

        Assert.Equal([ErasureOutcome.Erased, ErasureOutcome.Erased, ErasureOutcome.Absent], erased.Select(static state => state.Outcome));
        Assert.Equal(states, erased.Select(static state => (state.StateName, state.GrainId)));
        await Task.WhenAll(activations.Select(static activation => activation.Deactivated)).WaitAsync(Hang, Cancel);
        Assert.Equal([other.GetGrainId()], await KeysAsync(cluster));
        Assert.Equal((0, 0), (await counter.ReadAsync(), (await cart.ItemsAsync()).Count));
        Assert.Equal((1, 1), (await counter.AddAsync(1), await cart.AddAsync("new")));
        Assert.Equal(2, await other.AddAsync(1));
        // An erasure does not await the end of the activations, so no grain is called after these.
        foreach (var outcome in new[] { ErasureOutcome.Erased, ErasureOutcome.Absent })
        {
            erased = await cluster.StorageOf("Default").EraseAsync(states, Cancel);
            Assert.Equal([outcome, outcome, ErasureOutcome.Absent], erased.Select(static state => state.Outcome));
        }
    }

    /// <summary>The activation's memory has a state that the store does not have yet.</summary>
    [Fact]
    public async Task A_state_that_an_activation_saves_at_its_end_is_refused()
    {
        await using var cluster = await StartAsync(1);
        var counter = cluster.Client.GetGrain<ICounterGrain>("person");
        await counter.SaveAtTheEndAsync(5);
        var activation = ContextOf(cluster, counter);

        var erased = await cluster.StorageOf("Default").EraseAsync([("counter", counter.GetGrainId())], Cancel);

        Assert.Equal(ErasureOutcome.Absent, Assert.Single(erased).Outcome);
        await activation.Deactivated.WaitAsync(Hang, Cancel);
        Assert.Empty(await KeysAsync(cluster));
        Assert.Equal(0, await counter.ReadAsync());
    }

    [Fact]
    public async Task A_failed_erasure_is_reported_and_can_be_repeated()
    {
        var store = new InMemoryStore();
        var faults = new FaultyStore(store.Connect());
        await using var cluster = await TestCluster.StartAsync(1, silo => silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => faults)));
        (string, GrainId)[] states = [("name", GrainId.Create("user", "1")), ("name", GrainId.Create("user", "2"))];
        var storage = cluster.StorageOf("Default");
        foreach (var (name, grain) in states)
            await storage.WriteStateAsync(name, grain, new GrainState<TestState>(new TestState()));
        var refused = StateKeys.Of(cluster.Options.ServiceId, "name", states[0].Item2);
        faults.KeyScript = key => key == refused ? StoreFault.Refused : StoreFault.None;

        var erased = await storage.EraseAsync(states, Cancel);

        Assert.Equal([ErasureOutcome.Failed, ErasureOutcome.Erased], erased.Select(static state => state.Outcome));
        Assert.IsType<GrainStateNotWrittenException>(erased[0].Error);
        faults.KeyScript = null;
        erased = await storage.EraseAsync(states, Cancel);
        Assert.Equal([ErasureOutcome.Erased, ErasureOutcome.Absent], erased.Select(static state => state.Outcome));
        Assert.Empty(await KeysAsync(cluster));
    }

    [Fact]
    public async Task An_erasure_that_another_claim_overtakes_claims_again()
    {
        var store = new InMemoryStore();
        var faults = new FaultyStore(store.Connect());
        await using var cluster = await TestCluster.StartAsync(1, silo => silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => faults)));
        var (storage, grain) = (cluster.StorageOf("Default"), GrainId.Create("user", "1"));
        await storage.WriteStateAsync("name", grain, new GrainState<TestState>(new TestState()));
        var hold = faults.Hold(HoldPoint.BeforeStore, HeldRequests.Writes);
        var erasing = storage.EraseAsync([("name", grain)], Cancel);
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
        await using (var other = await StoutClient.OpenAsync(store.Connect(), cancellationToken: Cancel))
            await other.ClaimAsync(StateKeys.Of(cluster.Options.ServiceId, "name", grain), cancellationToken: Cancel);
        hold.Release();

        Assert.Equal((ErasureOutcome.Erased, null), ((await erasing)[0].Outcome, (await erasing)[0].Error));
        Assert.Empty(await KeysAsync(cluster));
    }

    /// <summary>A claim of the same client ends the erasure's claim before the store has answered.</summary>
    [Fact]
    public async Task An_erasure_whose_claim_an_activation_of_the_same_silo_overtakes_claims_again()
    {
        var faults = new FaultyStore(new InMemoryStore());
        await using var cluster = await TestCluster.StartAsync(1, silo => silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => faults)));
        var (storage, counter) = (cluster.StorageOf("Default"), cluster.Client.GetGrain<ICounterGrain>("person"));
        await storage.WriteStateAsync("counter", counter.GetGrainId(), new GrainState<TestState>(new TestState { Number = 5 }));
        var hold = faults.Hold(HoldPoint.AfterStore, HeldRequests.Reads);
        var erasing = storage.EraseAsync([("counter", counter.GetGrainId())], Cancel);
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);

        var reading = counter.ReadAsync();

        // The next claim of the erasure ends that of the activation, also before the store has answered.
        await Task.WhenAny(erasing, reading).WaitAsync(Hang, Cancel);
        hold.Release();
        Assert.Equal((ErasureOutcome.Erased, null), ((await erasing)[0].Outcome, (await erasing)[0].Error));
        await Assert.ThrowsAsync<GrainStateNotReadException>(() => reading);
        Assert.Empty(await KeysAsync(cluster));
    }

    /// <summary>The erasure's claim reaches the store. Its answer has an object that the silo does not accept.</summary>
    [Fact]
    public async Task Without_claims_a_failed_erasure_leaves_the_key_unclaimed()
    {
        var store = new InMemoryStore();
        await using var cluster = await TestCluster.StartAsync(1, silo =>
        {
            silo.Services.Configure<StoutOptions>("Default", static options => options.MaxObjectBytes = 1_000);
            silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => store.Connect()), static (StoutGrainStorageOptions options) => options.Ownership = GrainOwnership.None);
        });
        var grain = GrainId.Create("user", "1");
        var key = StateKeys.Of(cluster.Options.ServiceId, "name", grain);
        await using var other = await StoutClient.OpenAsync(store.Connect(), cancellationToken: Cancel);
        var handle = await other.OpenAsAbsentAsync(key, Cancel);
        await handle.WriteAsync(new KeyChange().Set(SubKey.Root, new byte[2_000]), Cancel);

        var erased = Assert.Single(await cluster.StorageOf("Default").EraseAsync([("name", grain)], Cancel));

        Assert.Equal(ErasureOutcome.Failed, erased.Outcome);
        Assert.IsType<ObjectTooLargeException>(erased.Error!.InnerException);
        var owner = (await other.PeekAsync(key, Cancel)).Owner;
        Assert.Equal((true, false), (owner.Epoch > 0, owner.IsClaimed));
    }

    /// <summary>The former storage still has the record, which an erasure does not reach.</summary>
    [Fact]
    public async Task An_erased_state_is_not_imported_again()
    {
        var former = new FormerTable();
        await using var cluster = await StartAsync(1, static options => (options.ImportFrom, options.DeleteStateOnClear) = ("former", true), former);
        var counter = cluster.Client.GetGrain<ICounterGrain>("person");
        await former.WriteStateAsync("counter", counter.GetGrainId(), new GrainState<TestState>(new TestState { Number = 5 }));

        var erased = await cluster.StorageOf("Default").EraseAsync([("counter", counter.GetGrainId())], Cancel);

        Assert.Equal(ErasureOutcome.Absent, Assert.Single(erased).Outcome);
        Assert.Equal(0, await counter.ReadAsync());
        Assert.Equal(7, await counter.AddAsync(7));
        foreach (var outcome in new[] { ErasureOutcome.Erased, ErasureOutcome.Absent })
        {
            erased = await cluster.StorageOf("Default").EraseAsync([("counter", counter.GetGrainId())], Cancel);
            Assert.Equal(outcome, Assert.Single(erased).Outcome);
        }

        Assert.Equal(0, await counter.ReadAsync());
    }

    /// <summary>Each claim of the erasure ends an activation, and the next one claims the key, perhaps before the state is deleted.</summary>
    [Fact]
    public async Task Under_load_no_activation_brings_an_erased_state_back()
    {
        const int Former = 1_000_000;
        await using var cluster = await StartAsync(2);
        for (var round = 0; round < 10; round++)
        {
            var counter = cluster.Client.GetGrain<ICounterGrain>($"{round}");
            await counter.AddAsync(Former);
            var erased = false;
            var callers = Enumerable.Range(0, 8).Select(async _ =>
            {
                while (!Volatile.Read(ref erased))
                {
                    try
                    {
                        await counter.AddAsync(1);
                    }
                    catch (InconsistentStateException)
                    {
                        // The activation was fenced.
                    }
                }
            }).ToArray();
            IReadOnlyList<ErasedState> result;
            try
            {
                result = await cluster.StorageOf("Default").EraseAsync([("counter", counter.GetGrainId())], Cancel);
            }
            finally
            {
                Volatile.Write(ref erased, true);
            }

            await Task.WhenAll(callers);
            Assert.Equal((ErasureOutcome.Erased, null), (result[0].Outcome, result[0].Error));
            await cluster.DeactivateAsync(counter);
            Assert.InRange(await counter.ReadAsync(), 0, Former - 1);
        }
    }

    [Fact]
    public async Task A_state_of_another_provider_is_not_erased()
    {
        await using var cluster = await StartAsync(1);
        var counter = cluster.Client.GetGrain<ICounterGrain>("person");
        await counter.AddAsync(5);

        var erased = await cluster.StorageOf("shared").EraseAsync([("counter", counter.GetGrainId())], Cancel);

        Assert.IsType<GrainStateOfOtherProviderException>(Assert.Single(erased).Error);
        Assert.Equal(6, await counter.AddAsync(1));
    }

    private static IGrainContext ContextOf(InProcessTestCluster cluster, IAddressable grain) =>
        cluster.TryGetGrainContext(grain.GetGrainId(), out var context) ? context : throw new InvalidOperationException("The grain is not active.");

    private static async Task<List<GrainId>> KeysAsync(InProcessTestCluster cluster)
    {
        List<GrainId> grains = [];
        await foreach (var key in cluster.ClientOf("Default").ListKeysAsync("", Cancel))
            grains.Add(GrainId.Create(key.Text.Split('/')[2], key.Text.Split('/')[3]));
        return grains;
    }

    private static Task<InProcessTestCluster> StartAsync(short silos, Action<StoutGrainStorageOptions>? configure = null, IGrainStorage? former = null)
    {
        var store = new InMemoryStore();
        return TestCluster.StartAsync(silos, silo =>
        {
            if (former is not null)
                silo.Services.AddKeyedSingleton("former", former);
            silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => store.Connect()), options => configure?.Invoke(options))
                .AddSharedStoutGrainStorage("shared", "Default");
        });
    }
}
