using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Storage;
using Stout.Orleans.Import;
using Stout.Orleans.Storage;
using Stout.Orleans.Tests.Grains;
using Stout.Orleans.Tests.Import;
using Stout.Testing;

namespace Stout.Orleans.Tests;

/// <summary>With default options, a caller whose state's store is down gets Stout's error before Orleans' time-out. The work continues.</summary>
public sealed class AnswerTimeTests
{
    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;

    public static TheoryData<GrainOwnership> Ownerships => [GrainOwnership.None, GrainOwnership.Claim];

    [Theory]
    [InlineData(true, GrainOwnership.Claim)]
    [InlineData(false, GrainOwnership.Claim)]
    [InlineData(true, GrainOwnership.None)]
    public async Task A_grain_whose_state_can_not_be_read_fails_as_not_read_and_is_activated_later(bool isSilent, GrainOwnership ownership)
    {
        await using var cluster = await StartAsync(ownership);
        var down = cluster.TakeDown(isSilent);
        var call = cluster.Counter().ReadAsync();
        await down;

        await cluster.FailsAtTheLimitAsync<GrainStateNotReadException>(call);

        cluster.Recover();
        Assert.Equal(0, await cluster.Counter().ReadAsync());
    }

    [Theory]
    [InlineData(true, GrainOwnership.Claim)]
    [InlineData(false, GrainOwnership.Claim)]
    [InlineData(true, GrainOwnership.None)]
    public async Task A_write_fails_as_unknown_and_so_does_a_read_by_the_next_activation_until_the_store_is_back(bool isSilent, GrainOwnership ownership)
    {
        await using var cluster = await StartAsync(ownership);
        var counter = cluster.Counter();
        await counter.AddAsync(1);
        var down = cluster.TakeDown(isSilent);
        var call = counter.AddAsync(10);
        await down;

        await cluster.FailsAtTheLimitAsync<GrainStateOutcomeUnknownException>(call);

        cluster.Recover();
        var stored = await counter.ReadAsync();
        Assert.Contains(stored, (int[])[1, 11]);
        Assert.Equal(stored + 1, await counter.AddAsync(1));
    }

    /// <summary>The deactivation after the error does not wait for the write, so the next activation begins within its own caller's time.</summary>
    [Fact]
    public async Task A_call_after_one_that_failed_as_unknown_gets_its_own_error_in_time()
    {
        await using var cluster = await DeadStoreCluster.StartAsync(
            static silo => silo.Services.Configure<GrainCollectionOptions>(static options => options.DeactivationTimeout = TimeSpan.FromSeconds(10)));
        var counter = cluster.Counter();
        await counter.AddAsync(1);
        var closing = cluster.WhenWaiting(TimeSpan.FromSeconds(8));
        var writes = cluster.Silence(HeldRequests.Writes);
        var call = counter.AddAsync(10);
        await writes;
        await cluster.FailsAtTheLimitAsync<GrainStateOutcomeUnknownException>(call);
        var reads = cluster.Silence(HeldRequests.Reads);
        var next = counter.ReadAsync();
        await reads;
        Assert.False(closing.IsCompleted);

        await cluster.FailsAtTheLimitAsync<GrainStateNotReadException>(next);
    }

    [Fact]
    public async Task A_facets_reply_fails_as_unknown_and_the_next_activation_goes_on()
    {
        await using var cluster = await StartAsync();
        var cart = cluster.Cart<CartGrain>();
        await cart.AddAsync("apple");
        var down = cluster.TakeDown(isSilent: true);
        var call = cart.AddAsync("pear");
        await down;
        var passing = await WhenWaitingAsync(cluster, cart);

        var error = await cluster.FailsAtTheLimitAsync<GrainStateOutcomeUnknownException>(call);

        Assert.Contains("time limit", error.Message, StringComparison.Ordinal);
        cluster.Gate.Open();
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => passing);
        cluster.Recover();
        Assert.Contains(await cart.ItemsAsync(), (IReadOnlyList<string>[])[["apple", "pear"], ["apple"]]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_grain_whose_facet_can_not_be_read_fails_as_not_read_and_is_activated_later(bool isSilent)
    {
        await using var cluster = await StartAsync();
        var down = cluster.TakeDown(isSilent);
        var call = cluster.Cart<CartGrain>().ItemsAsync();
        await down;

        await cluster.FailsAtTheLimitAsync<GrainStateNotReadException>(call);

        cluster.Recover();
        Assert.Empty(await cluster.Cart<CartGrain>().ItemsAsync());
    }

    /// <summary>The clock may pass the limit before the client knows that the earlier change is durable, so the error may be that of a change.</summary>
    [Fact]
    public async Task A_confirmed_read_fails_and_a_later_one_succeeds()
    {
        await using var cluster = await StartAsync();
        var cart = cluster.Cart<ConfirmedCartGrain>();
        await cart.AddAsync("apple");
        var down = cluster.TakeDown(isSilent: true);
        var call = cart.ItemsAsync();
        await down;

        var error = await cluster.FailsAtTheLimitAsync<Exception>(call);

        Assert.True(error is GrainStateNotReadException or GrainStateOutcomeUnknownException, error.ToString());
        cluster.Recover();
        Assert.Equal(["apple"], await cart.ItemsAsync());
    }

    [Fact]
    public async Task A_confirmed_reply_to_a_change_in_flight_fails_as_unknown()
    {
        await using var cluster = await StartAsync();
        var cart = cluster.Cart<ConfirmedCartGrain>();
        await cart.AddAsync("apple");
        var down = cluster.TakeDown(isSilent: true);
        var call = cart.AddAsync("pear");
        await down;
        var passing = await WhenWaitingAsync(cluster, cart);

        await cluster.FailsAtTheLimitAsync<GrainStateOutcomeUnknownException>(call);

        cluster.Gate.Open();
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => passing);
    }

    [Fact]
    public async Task The_limits_of_several_facets_do_not_add_up()
    {
        await using var cluster = await StartAsync();
        var cart = cluster.Cart<BothCartsGrain>();
        await cart.ItemsAsync();
        var other = cluster.Store.Hold(HoldPoint.BeforeStore, HeldRequests.Writes, cluster.IsKeyOf("other", cart));
        using var own = cluster.Store.Hold(HoldPoint.BeforeStore, HeldRequests.Writes, cluster.IsKeyOf("cart", cart));
        var first = cart.SetPartAsync("part", "apple");
        await other.WaitUntilHeldAsync(cancellationToken: Cancel);
        var call = cart.AddAsync("pear");
        var passing = await WhenWaitingAsync(cluster, cart);
        cluster.Jump(DeadStoreCluster.Limit / 2);
        other.Release();
        await first;
        Assert.False(call.IsCompleted);
        cluster.Jump(DeadStoreCluster.Limit / 2);

        await Assert.ThrowsAsync<GrainStateOutcomeUnknownException>(() => call);

        cluster.Gate.Open();
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => passing);
    }

    [Theory]
    [InlineData(typeof(StatelessWorkerTests.StateWorker))]
    [InlineData(typeof(StatelessWorkerTests.FacetWorker))]
    public async Task A_stateless_worker_fails_as_not_read(Type grainClass)
    {
        await using var cluster = await StartAsync();
        var down = cluster.TakeDown(isSilent: true);
        var call = cluster.Client.GetGrain<StatelessWorkerTests.IWorkerGrain>("one", grainClass.FullName).ReadAsync();
        await down;

        await cluster.FailsAtTheLimitAsync<GrainStateNotReadException>(call);
    }

    [Theory, MemberData(nameof(Ownerships))]
    public async Task An_outside_read_fails_as_not_read_and_leaves_no_key_open(GrainOwnership ownership)
    {
        await using var cluster = await StartAsync(ownership);
        var down = cluster.TakeDown(isSilent: true);
        var reading = ReadAsync(cluster);
        await down;

        await cluster.FailsAtTheLimitAsync<GrainStateNotReadException>(reading);

        cluster.Recover();
        Assert.False((await ReadAsync(cluster)).RecordExists);
        await NoKeyIsOpenAsync(cluster);
    }

    [Theory, MemberData(nameof(Ownerships))]
    public async Task An_outside_write_in_flight_fails_as_unknown_and_becomes_durable(GrainOwnership ownership)
    {
        await using var cluster = await StartAsync(ownership);
        var state = await WriteAsync(cluster, 1, null);
        var down = cluster.Silence(HeldRequests.Writes);
        var writing = WriteAsync(cluster, 2, state.ETag);
        await down;
        // This write gets the turn after its own limit, and must have no effect.
        var next = WriteAsync(cluster, 3, state.ETag);
        Assert.False(next.IsCompleted);

        await cluster.FailsAtTheLimitAsync<GrainStateOutcomeUnknownException>(writing);

        Assert.Equal(NotAppliedReason.NotAnsweredInTime, (await Assert.ThrowsAsync<GrainStateNotWrittenException>(() => next)).Reason);
        cluster.Recover();
        Assert.Equal(2, (await ReadAsync(cluster)).State!.Number);
        await NoKeyIsOpenAsync(cluster);
    }

    /// <summary>The call asks the store before the write, so its value is never handed over.</summary>
    [Theory, MemberData(nameof(Ownerships))]
    public async Task An_outside_write_or_clear_that_can_not_begin_fails_as_not_written(GrainOwnership ownership)
    {
        await using var cluster = await StartAsync(ownership);
        var state = await WriteAsync(cluster, 1, null);
        foreach (var change in new[] { () => WriteAsync(cluster, 2, state.ETag), () => ClearAsync(cluster, state.ETag) })
        {
            var down = cluster.TakeDown(isSilent: true);
            var changing = change();
            await down;

            await cluster.FailsAtTheLimitAsync<GrainStateNotWrittenException>(changing);

            cluster.Recover();
            var read = await ReadAsync(cluster);
            Assert.Equal((1, true), (read.State!.Number, read.RecordExists));
            state.ETag = read.ETag;
        }

        await NoKeyIsOpenAsync(cluster);
    }

    /// <summary>The write waits for the former storage, which has no record. Its answer comes after the caller's limit.</summary>
    [Fact]
    public async Task A_value_is_not_handed_to_Stout_after_its_caller_was_told_that_nothing_is_written()
    {
        var former = new FormerTable();
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var opened = new ManualResetEventSlim();
        former.BeforeRead[Outside] = () =>
        {
            reached.TrySetResult();
            opened.Wait(Cancel);
        };
        await using var cluster = await DeadStoreCluster.StartAsync(
            silo => silo.Services.AddKeyedSingleton<IGrainStorage>("former", former),
            static options => (options.ImportFrom, options.Ownership) = ("former", GrainOwnership.None));
        var writing = Task.Run(() => WriteAsync(cluster, 3, null), Cancel);
        await reached.Task;

        var error = await cluster.FailsAtTheLimitAsync<GrainStateNotWrittenException>(writing);

        Assert.Equal(NotAppliedReason.NotAnsweredInTime, error.Reason);
        opened.Set();
        Assert.False((await ReadAsync(cluster)).RecordExists);
    }

    [Fact]
    public async Task An_import_fails_as_not_read_and_is_repeated()
    {
        var former = new FormerTable();
        await former.WriteStateAsync("state", Outside, new GrainState<TestState>(new TestState { Number = 7 }));
        await using var cluster = await DeadStoreCluster.StartAsync(
            silo => silo.Services.AddKeyedSingleton<IGrainStorage>("former", former), static options => options.ImportFrom = "former");
        foreach (var requests in new[] { HeldRequests.Reads, HeldRequests.Writes })
        {
            var down = cluster.Silence(requests);
            var importing = cluster.Storage.ImportAsync<TestState>("state", Outside, Cancel);
            await down;

            await cluster.FailsAtTheLimitAsync<GrainStateNotReadException>(importing);

            cluster.Recover();
        }

        // The import in flight is finished before this one begins.
        await cluster.Storage.ImportAsync<TestState>("state", Outside, Cancel);
        Assert.Equal(7, (await ReadAsync(cluster)).State!.Number);
        Assert.Contains(FormerStorage.Fence, former["state", Outside], StringComparison.Ordinal);
        await NoKeyIsOpenAsync(cluster);
    }

    /// <summary>The time-out of deactivations differs from that of responses, so that the test knows when the wait begins.</summary>
    [Fact]
    public async Task A_deactivation_waits_no_longer_than_its_limit_for_a_change_in_flight()
    {
        await using var cluster = await DeadStoreCluster.StartAsync(
            static silo => silo.Services.Configure<GrainCollectionOptions>(static options => options.DeactivationTimeout = TimeSpan.FromSeconds(10)));
        var cart = cluster.Cart<SavingCartGrain>();
        await cart.AddAsync("apple");
        var epoch = await cart.EpochAsync();
        var down = cluster.Silence(HeldRequests.Writes);
        var closing = cluster.WhenWaiting(TimeSpan.FromSeconds(8));
        await cart.LeaveAsync();
        await down;
        await closing;
        var next = cart.EpochAsync();
        cluster.Jump(TimeSpan.FromSeconds(4));
        Assert.False(next.IsCompleted);
        cluster.Jump(TimeSpan.FromSeconds(4));

        Assert.Equal(epoch + 1, await next);
    }

    [Fact]
    public async Task The_limit_is_that_of_the_silo_unless_the_application_sets_one()
    {
        var set = TimeSpan.FromSeconds(2);
        await using var cluster = await DeadStoreCluster.StartAsync(silo =>
        {
            silo.AddStoutGrainStorage("set", static stout => stout.UseInMemory());
            silo.Services.Configure<StoutOptions>("set", options => options.AnswerWithin = set);
        });
        var options = cluster.Silo.GetRequiredService<IOptionsMonitor<StoutOptions>>();
        Assert.Equal((DeadStoreCluster.Limit, set), (options.Get("Default").AnswerWithin, options.Get("set").AnswerWithin));
        Assert.InRange(DeadStoreCluster.Limit, TimeSpan.Zero, cluster.Silo.GetRequiredService<IOptions<SiloMessagingOptions>>().Value.ResponseTimeout);
    }

    [Theory]
    [InlineData(30_000, 24_000)]
    [InlineData(0.5, 1)]
    [InlineData(-1, 86_400_000)]
    [InlineData(1e9, 86_400_000)]
    public void The_part_of_a_time_out_is_in_the_range_of_the_option(double timeout, double expected) =>
        Assert.Equal(TimeSpan.FromMilliseconds(expected), AnswerTime.PartOf(TimeSpan.FromMilliseconds(timeout)));

    private static GrainId Outside { get; } = GrainId.Create("player", "one");

    private static Task<DeadStoreCluster> StartAsync(GrainOwnership ownership = GrainOwnership.Claim) =>
        DeadStoreCluster.StartAsync(options: options => options.Ownership = ownership);

    /// <summary>Completes when the earlier calls of a reentrant grain wait for their replies: this call runs after their turns.</summary>
    private static async Task<Task> WhenWaitingAsync(DeadStoreCluster cluster, ICartGrain cart)
    {
        var passing = cart.PassGateAsync();
        await cluster.Gate.Reached.WaitAsync(TimeSpan.FromMinutes(1), Cancel);
        return passing;
    }

    private static async Task<GrainState<TestState>> ReadAsync(DeadStoreCluster cluster)
    {
        var state = new GrainState<TestState>(new TestState());
        await cluster.Storage.ReadStateAsync("state", Outside, state, Cancel);
        return state;
    }

    private static async Task<GrainState<TestState>> WriteAsync(DeadStoreCluster cluster, int number, string? etag)
    {
        var state = new GrainState<TestState>(new TestState { Number = number }, etag);
        await cluster.Storage.WriteStateAsync("state", Outside, state, Cancel);
        return state;
    }

    private static async Task<GrainState<TestState>> ClearAsync(DeadStoreCluster cluster, string? etag)
    {
        var state = new GrainState<TestState>(new TestState(), etag);
        await cluster.Storage.ClearStateAsync("state", Outside, state, Cancel);
        return state;
    }

    /// <summary>The work of a call that has failed may still have to return its key.</summary>
    private static async Task NoKeyIsOpenAsync(DeadStoreCluster cluster)
    {
        while (cluster.OpenKeys > 0)
        {
            Cancel.ThrowIfCancellationRequested();
            await Task.Yield();
        }
    }
}
