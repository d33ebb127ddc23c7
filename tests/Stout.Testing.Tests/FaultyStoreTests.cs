using Microsoft.Extensions.Time.Testing;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing.Tests;

public sealed class FaultyStoreTests : IAsyncDisposable
{
    private readonly FakeTimeProvider _time = new();
    private readonly InMemoryStore _data = new();
    private readonly FaultyStore _store;

    public FaultyStoreTests() => _store = new FaultyStore(_data.Connect(), timeProvider: _time);

    public async ValueTask DisposeAsync()
    {
        await _store.DisposeAsync();
        await _data.DisposeAsync();
    }

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(StoreFault.None, WriteOutcomeKind.Committed, true)]
    [InlineData(StoreFault.Overloaded, WriteOutcomeKind.Overloaded, false)]
    [InlineData(StoreFault.Unreachable, WriteOutcomeKind.Unreachable, false)]
    [InlineData(StoreFault.Refused, WriteOutcomeKind.Refused, false)]
    [InlineData(StoreFault.Busy, WriteOutcomeKind.Busy, false)]
    [InlineData(StoreFault.LimitExceeded, WriteOutcomeKind.LimitExceeded, false)]
    [InlineData(StoreFault.LostRequest, WriteOutcomeKind.Unknown, false)]
    [InlineData(StoreFault.LostAnswer, WriteOutcomeKind.Unknown, true)]
    [InlineData(StoreFault.Repeated, WriteOutcomeKind.Committed, true)]
    [InlineData(StoreFault.Late, WriteOutcomeKind.Unknown, false)]
    public async Task Fault_of_a_script_has_its_outcome_and_its_effect_and_the_next_request_is_whole_again(
        StoreFault fault, WriteOutcomeKind outcome, bool isApplied)
    {
        var client = await OpenAsync(_store);
        _store.FailNext(fault);

        var write = client.NewWrite("key", Stamp.Absent);
        var batch = new WriteBatch();
        client.Add(batch, write, Part("", "x"));
        await client.WriteAsync(batch);
        Assert.Equal(outcome, batch.OutcomeOf(0).Kind);

        Assert.Equal(isApplied, (await PeekAsync("key")).Exists);
        Assert.Equal(WriteOutcomeKind.Committed, (await client.WriteAsync(write, Part("", "x"))).Kind);
        Assert.Equal(fault == StoreFault.None ? 2 : 1, _store.CountOf(fault));
    }

    [Fact]
    public async Task Keys_of_one_batch_fail_each_in_its_own_way()
    {
        var client = await OpenAsync(_store);
        _store.KeyScript = key => Enum.Parse<StoreFault>(key.Text);
        var batch = new WriteBatch();
        foreach (var fault in Enum.GetNames<StoreFault>())
            client.Add(batch, client.NewWrite(fault, Stamp.Absent), Part("", fault));

        await client.WriteAsync(batch);

        Assert.Equal(
            [
                WriteOutcomeKind.Committed, WriteOutcomeKind.Overloaded, WriteOutcomeKind.Unreachable, WriteOutcomeKind.Refused,
                WriteOutcomeKind.Unknown, WriteOutcomeKind.Unknown, WriteOutcomeKind.Committed, WriteOutcomeKind.Unknown,
                WriteOutcomeKind.Busy, WriteOutcomeKind.LimitExceeded,
            ],
            Enumerable.Range(0, batch.Count).Select(i => batch.OutcomeOf(i).Kind));
        Assert.False(_store.Capabilities.AtomicBatches);
    }

    [Fact]
    public async Task Overloaded_store_says_for_how_long()
    {
        var client = await OpenAsync(_store);
        _store.Options = new() { RetryAfter = TimeSpan.FromSeconds(7), Requests = new() { Overloaded = 1 } };

        Assert.Equal(TimeSpan.FromSeconds(7), (await client.WriteAsync(client.NewWrite("key", Stamp.Absent))).RetryAfter);
        Assert.Equal((ReadOutcomeKind.Overloaded, TimeSpan.FromSeconds(7)), (await client.ReadAsync("key")) is var read ? (read.Kind, read.RetryAfter!.Value) : default);
    }

    [Fact]
    public async Task Late_write_comes_after_the_next_answer_with_the_bytes_that_it_had()
    {
        var client = await OpenAsync(_store);
        byte[] value = [1];
        _store.FailNext(StoreFault.Late);
        await client.WriteAsync(client.NewWrite("late", Stamp.Absent), Part("", value));
        value[0] = 9;
        Assert.False((await PeekAsync("late")).Exists);

        Assert.False((await client.ReadAsync("late")).Exists);

        Assert.Equal(1, (await PeekAsync("late")).Parts.Single().Value.Span[0]);
    }

    [Fact]
    public async Task Latency_passes_on_the_clock_that_it_was_given()
    {
        var client = await OpenAsync(_store);
        _store.Options = new() { MinLatency = TimeSpan.FromSeconds(5), MaxLatency = TimeSpan.FromSeconds(5) };
        var writing = client.PutAsync("key", Stamp.Absent);
        _time.Advance(TimeSpan.FromSeconds(4.999));
        Assert.False(writing.IsCompleted);
        Assert.True((await PeekAsync("key")).Version.IsAbsent);

        _time.Advance(TimeSpan.FromSeconds(0.001));

        await writing;
    }

    [Theory]
    [InlineData(HoldPoint.BeforeStore, false)]
    [InlineData(HoldPoint.AfterStore, true)]
    public async Task Held_write_waits_at_its_point_until_it_is_released(HoldPoint point, bool isApplied)
    {
        var client = await OpenAsync(_store);
        var hold = _store.Hold(point, HeldRequests.Writes, key => key.Text == "key");
        var writing = client.PutAsync("key", Stamp.Absent, parts: [Part("", "x")]);
        await hold.WaitUntilHeldAsync(cancellationToken: Stop);

        await client.PutAsync("other", Stamp.Absent);
        Assert.Equal(isApplied, (await client.ReadAsync("key")).Exists);
        Assert.Equal((false, 1, true), (writing.IsCompleted, hold.HeldCount, _store.IsHeld));

        _store.Release();

        await writing;
        Assert.False(_store.IsHeld);
        await client.PutAsync("key 2", Stamp.Absent);
    }

    [Theory]
    [InlineData(HoldPoint.BeforeStore, false)]
    [InlineData(HoldPoint.AfterStore, true)]
    public async Task Killed_store_leaves_what_it_held_unknown_and_is_unreachable_until_it_is_revived(HoldPoint point, bool isApplied)
    {
        var client = await OpenAsync(_store);
        using var hold = _store.Hold(point);
        var batch = new WriteBatch();
        client.Add(batch, client.NewWrite("key", Stamp.Absent), Part("", "x"));
        var writing = client.WriteAsync(batch);
        await hold.WaitUntilHeldAsync(cancellationToken: Stop);

        _store.Kill();

        Assert.Equal(StoreErrorKind.Unknown, (await Assert.ThrowsAsync<StoreException>(() => writing)).Kind);
        Assert.Equal(WriteOutcomeKind.Unknown, batch.OutcomeOf(0).Kind);
        Assert.Equal(isApplied, (await PeekAsync("key")).Exists);
        Assert.Equal(StoreErrorKind.Unreachable, (await Assert.ThrowsAsync<StoreException>(() => client.ReadAsync("key"))).Kind);
        _time.Advance(TimeSpan.FromDays(1));
        Assert.True(_store.IsDead);

        hold.Release();
        _store.Revive();

        Assert.Equal(WriteOutcomeKind.Committed, (await client.WriteAsync(batch[0], Part("", "x"))).Kind);
    }

    [Fact]
    public async Task Store_that_dies_of_a_request_comes_back_when_its_time_has_passed()
    {
        var client = await OpenAsync(_store);
        _store.Options = new() { Death = 1, DownTime = TimeSpan.FromSeconds(3) };
        Assert.Equal(StoreErrorKind.Unknown, (await Assert.ThrowsAsync<StoreException>(() => client.ReadAsync("key"))).Kind);
        _store.Options = new();
        _time.Advance(TimeSpan.FromSeconds(2.9));
        Assert.Equal(StoreErrorKind.Unreachable, (await Assert.ThrowsAsync<StoreException>(() => client.ReadAsync("key"))).Kind);

        _time.Advance(TimeSpan.FromSeconds(0.1));

        await client.PutAsync("key", Stamp.Absent);
    }

    [Fact]
    public async Task Held_write_that_is_cancelled_leaves_without_an_outcome()
    {
        var client = await OpenAsync(_store);
        using var hold = _store.Hold(HoldPoint.AfterStore);
        using var cancelled = new CancellationTokenSource();
        var batch = new WriteBatch();
        client.Add(batch, client.NewWrite("key", Stamp.Absent));
        var writing = client.WriteAsync(0, batch, cancelled.Token);
        await hold.WaitUntilHeldAsync(cancellationToken: Stop);

        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
        Assert.Equal(WriteOutcomeKind.Unknown, batch.OutcomeOf(0).Kind);
    }

    [Fact]
    public async Task Same_seed_has_the_same_faults_and_the_rates_that_were_asked_for()
    {
        var first = await FaultsAsync(seed: 5);

        Assert.Equal(first, await FaultsAsync(seed: 5));
        Assert.NotEqual(first, await FaultsAsync(seed: 6));
        Assert.InRange(first.Count(kind => kind == WriteOutcomeKind.Overloaded), 150, 250);
        Assert.InRange(first.Count(kind => kind == WriteOutcomeKind.Unknown), 150, 250);

        static async Task<List<WriteOutcomeKind>> FaultsAsync(int seed)
        {
            await using var data = new InMemoryStore();
            await using var store = new FaultyStore(data, new() { Seed = seed, Requests = new() { Overloaded = 0.2 }, Keys = new() { LostAnswer = 0.25 } });
            var client = await OpenAsync(store);
            var kinds = new List<WriteOutcomeKind>();
            for (var i = 0; i < 1_000; i++)
                kinds.Add((await client.WriteAsync(client.NewWrite($"{i}", Stamp.Absent))).Kind);
            return kinds;
        }
    }

    [Fact]
    public async Task Whatever_happens_nothing_that_was_acknowledged_is_lost_and_every_repetition_ends()
    {
        await using var store = new FaultyStore(_data.Connect(), new()
        {
            Seed = 1,
            Requests = new() { Overloaded = 0.05, Unreachable = 0.05, LostRequest = 0.05, LostAnswer = 0.05, Repeated = 0.05, Late = 0.05 },
            Keys = new() { LostRequest = 0.05, LostAnswer = 0.05, Repeated = 0.05, Late = 0.05 },
            Death = 0.02,
            DownTime = TimeSpan.Zero,
        });
        var client = await OpenAsync(store);

        await Task.WhenAll(Enumerable.Range(0, 8).Select(writer => Task.Run(() => WriteChainAsync($"key {writer}"), Stop)));

        async Task WriteChainAsync(string key)
        {
            var stamp = Stamp.Absent;
            for (var i = 0; i < 300; i++)
            {
                var batch = new WriteBatch();
                client.Add(batch, client.NewWrite(key, stamp), Part("", $"{i}"));
                for (var kind = WriteOutcomeKind.Unknown; kind != WriteOutcomeKind.Committed; kind = batch.OutcomeOf(0).Kind)
                {
                    Assert.NotEqual(WriteOutcomeKind.Conflict, kind);
                    Assert.NotEqual(WriteOutcomeKind.Fenced, kind);
                    try
                    {
                        await client.WriteAsync(0, batch, Stop);
                    }
                    catch (StoreException)
                    {
                        // The loop sends the same batch again.
                    }
                }

                var stored = await PeekAsync(key);
                Assert.Equal((batch[0].Next, $"={i}"), (stored.Version, Show(stored)));
                stamp = batch[0].Next;
            }
        }
    }

    public static TheoryData<string, FaultyStoreOptions> BadOptions { get; } = new()
    {
        { "MinLatency", new() { MinLatency = TimeSpan.FromTicks(-1) } },
        { "MaxLatency", new() { MinLatency = TimeSpan.FromSeconds(2), MaxLatency = TimeSpan.FromSeconds(1) } },
        { "DownTime", new() { DownTime = TimeSpan.FromHours(2) } },
        { "RetryAfter", new() { RetryAfter = TimeSpan.FromSeconds(-1) } },
        { "Death", new() { Death = 1.1 } },
        { "Requests:Late", new() { Requests = new() { Late = double.NaN } } },
        { "Keys:LostAnswer", new() { Keys = new() { LostAnswer = -0.1 } } },
        { "Requests", new() { Requests = new() { Late = 0.6, Repeated = 0.6 } } },
    };

    [Theory]
    [MemberData(nameof(BadOptions))]
    public void Option_out_of_its_range_is_refused_by_name(string name, FaultyStoreOptions options)
    {
        Assert.Equal(name, Assert.Throws<InvalidOptionException>(() => _store.Options = options).Option);
        Assert.Equal(name, Assert.Throws<InvalidOptionException>(() => new FaultyStore(_data, options)).Option);
    }

    private static Task<StoreClient> OpenAsync(IStorageProxy store) => StoreClient.OpenAsync(store);

    private async Task<ReadOutcome> PeekAsync(string key) => await (await OpenAsync(_data.Connect())).ReadAsync(key);
}
