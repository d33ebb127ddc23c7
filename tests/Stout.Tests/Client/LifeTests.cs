using Microsoft.Extensions.Time.Testing;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Client;

/// <summary>Opening, closing, stopping, disposal.</summary>
public sealed class LifeTests
{
    private const int Patience = 30_000;

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact(Timeout = Patience)]
    public async Task A_key_closes_only_when_nothing_of_it_is_undurable()
    {
        var store = new HeldStore();
        await using var fixture = await Fixture.OpenAsync(store);
        var handle = await fixture.FillAsync("a");
        var change = fixture.ChangeAsync(handle, "text");
        Assert.False(await handle.TryCloseAsync());
        (await store.NextWriteAsync()).Commit();
        await change;

        Assert.True(await handle.TryCloseAsync());
        Assert.True(await handle.TryCloseAsync());
        Assert.True(handle.IsClosed);
        Assert.Throws<HandleClosedException>(() => handle.MarkDirty());
        await Assert.ThrowsAsync<HandleClosedException>(() => handle.WhenSafeAsync(Cancel).AsTask());
        Assert.NotSame(handle, await fixture.FillAsync("a"));
    }

    [Fact(Timeout = Patience)]
    public async Task Stopping_waits_for_what_is_under_way_and_then_the_store_is_closed()
    {
        var store = new HeldStore();
        var fixture = await Fixture.OpenAsync(store);
        var change = fixture.ChangeAsync(await fixture.FillAsync("a"), "text");
        var write = await store.NextWriteAsync();
        var disposal = fixture.DisposeAsync().AsTask();
        await Assert.ThrowsAsync<StoppedException>(() => fixture.FillAsync("b"));
        Assert.False(disposal.IsCompleted || store.IsDisposed);

        write.Commit();
        await disposal;

        Assert.True(store.IsDisposed);
        await change;
    }

    [Fact(Timeout = Patience)]
    public async Task Every_disposal_waits_until_the_store_is_closed()
    {
        var store = new HeldStore();
        var fixture = await Fixture.OpenAsync(store);
        var change = fixture.ChangeAsync(await fixture.FillAsync("a"), "text");
        var write = await store.NextWriteAsync();
        var disposals = new[] { fixture.DisposeAsync().AsTask(), fixture.DisposeAsync().AsTask() };
        Assert.DoesNotContain(disposals, disposal => disposal.IsCompleted);

        write.Commit();
        await disposals[1];

        Assert.True(store.IsDisposed);
        await change;
        await disposals[0];
    }

    [Theory(Timeout = Patience)]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Stopping_waits_for_every_lane(int busy)
    {
        var store = new HeldStore(partitions: 3);
        var fixture = await Fixture.OpenAsync(store);
        var handles = await Task.WhenAll(Enumerable.Range(0, 3).Select(lane => fixture.FillAsync(KeyOf(lane))));
        var change = fixture.ChangeAsync(handles[busy], "text");
        var write = await store.NextWriteAsync(busy);
        var stop = fixture.Client.StopAsync(Cancel);
        // Waits until the idle lanes have ended: an ended lane refuses calls. The yields then give StopAsync time to complete too early.
        foreach (var handle in handles.Where(handle => handle != handles[busy]))
        {
            while (await Record.ExceptionAsync(async () => await handle.TryCloseAsync()) is not StoppedException)
                await Task.Yield();
        }

        for (var i = 0; i < 100; i++)
            await Task.Yield();
        Assert.False(stop.IsCompleted);

        write.Commit();
        await stop;

        await change;
        await fixture.DisposeAsync();

        static string KeyOf(int lane) =>
            Enumerable.Range(0, 1000).Select(i => $"key {i}").First(key => Slots.PartitionOf(Slots.Of(new PartitionKey(key)), 3) == lane);
    }

    [Fact(Timeout = Patience)]
    public async Task Client_that_is_disposed_while_it_opens_starts_no_lane_and_closes_the_store_after_that()
    {
        var (store, time) = (new SlowlyOpened(), new TimerCount());
        var client = new StoutClient(store, new MemoryApplication(), new StoutOptions(), time);
        var opening = client.OpenAsync(Cancel).AsTask();
        var disposal = client.DisposeAsync().AsTask();
        Assert.False(store.IsDisposed);
        store.Opened.SetResult();

        await Assert.ThrowsAsync<StoppedException>(() => opening);
        await disposal;
        Assert.True(store.IsDisposed);
        Assert.Equal(0, time.Running);
        await Assert.ThrowsAsync<StoppedException>(() => client.OpenAsync(Cancel).AsTask());
    }

    [Fact(Timeout = Patience)]
    public async Task A_shutdown_that_cannot_wait_ends_every_message_with_what_is_true_of_it()
    {
        var store = new HeldStore();
        var fixture = await Fixture.OpenAsync(store);
        var handle = await fixture.FillAsync("sent");
        var other = await fixture.FillAsync("dirty");
        fixture.Application.OnSerialize = (batch, _) =>
        {
            for (var i = 0; i < batch.Count; i++)
            {
                if (batch[i].Key.Text == "dirty")
                    batch[i].Defer();
                else
                    fixture.Application.Serialize(batch[i]);
            }

            return ValueTask.CompletedTask;
        };
        var sent = fixture.ChangeAsync(handle, "text");
        var write = await store.NextWriteAsync();
        var dirty = fixture.ChangeAsync(other, "text");

        await fixture.Client.StopAsync(new CancellationToken(canceled: true));

        await Assert.ThrowsAsync<OutcomeUnknownException>(() => sent);
        Assert.Equal(NotAppliedReason.Stopped, (await Assert.ThrowsAsync<NotAppliedException>(() => dirty)).Reason);
        await fixture.DisposeAsync();
        write.Commit();
    }

    [Fact(Timeout = Patience)]
    public async Task A_store_that_never_answers_keeps_a_disposal_no_longer_than_the_options_say()
    {
        var time = new FakeTimeProvider();
        var store = new HeldStore();
        var fixture = await Fixture.OpenAsync(store, null, time);
        var change = fixture.ChangeAsync(await fixture.Client.OpenAsAbsentAsync(new PartitionKey("a"), cancellationToken: Cancel), "text");
        await store.NextWriteAsync();
        var disposal = fixture.DisposeAsync().AsTask();
        // The first attempt times out after RequestTimeout, 15 s. The lane repeats it for ResolveUnknownFor, 30 s.
        time.Advance(TimeSpan.FromSeconds(15));
        for (var i = 0; !disposal.IsCompleted && i < 1_000_000; i++)
        {
            time.Advance(TimeSpan.FromMilliseconds(100));
            await Task.Yield();
        }

        await disposal;
        await Assert.ThrowsAsync<OutcomeUnknownException>(() => change);
        Assert.True(store.IsDisposed);
    }

    [Fact(Timeout = Patience)]
    public async Task No_lane_runs_of_a_client_that_could_not_be_opened()
    {
        var (made, time) = (0, new TimerCount());
        var options = new StoutOptions { Pacing = () => ++made < 3 ? new RecordingLaw() : throw new FormatException() };

        await Assert.ThrowsAsync<FormatException>(() => Fixture.OpenAsync(new InMemoryStore(partitions: 3), options, time));

        Assert.Equal(3, made);
        Assert.Equal(0, time.Running); // A running lane has a timer, so no lane runs.
    }

    [Fact(Timeout = Patience)]
    public async Task Every_call_after_disposal_says_that_stout_has_stopped()
    {
        var fixture = await Fixture.OpenAsync(new InMemoryStore());
        var handle = await fixture.FillAsync("a");
        await fixture.DisposeAsync();

        Assert.Throws<StoppedException>(() => handle.MarkDirty());
        Assert.Throws<StoppedException>(() => handle.MarkDeleted());
        Assert.Throws<StoppedException>(() => handle.MarkDeleted(new SubKey("part")));
        Assert.Throws<StoppedException>(() => handle.SendMessageWhenSafe(0, static (_, _) => { }));
        await Assert.ThrowsAsync<StoppedException>(async () => await handle.WhenSafeAsync(Cancel));
        await Assert.ThrowsAsync<StoppedException>(async () => await handle.AdmitAsync(Cancel));
        await Assert.ThrowsAsync<StoppedException>(async () => await handle.TryCloseAsync());
        await Assert.ThrowsAsync<StoppedException>(() => fixture.FillAsync("a"));
        await Assert.ThrowsAsync<StoppedException>(async () => await fixture.Client.OpenAsAbsentAsync(new PartitionKey("a"), cancellationToken: Cancel));
        await fixture.Client.StopAsync(Cancel);
        await fixture.DisposeAsync();
        Assert.Equal(1, fixture.Client.GetStatistics().OpenKeys);
    }

    [Fact(Timeout = Patience)]
    public async Task Memory_and_store_are_equal_after_many_threads_have_changed_keys()
    {
        const int Threads = 8, Changes = 4000, Keys = 97;
        var store = new InMemoryStore(partitions: 3);
        var fixture = await Fixture.OpenAsync(store);
        var handles = new KeyHandle[Keys];
        for (var i = 0; i < Keys; i++)
            handles[i] = await fixture.FillAsync($"key {i}");
        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Run(async () =>
        {
            var random = new Random(thread);
            for (var i = 0; i < Changes; i++)
            {
                fixture.Application.Change(handles[random.Next(Keys)], $"{thread}.{i}");
                if (i % 64 == 0)
                    await handles[random.Next(Keys)].WhenSafeAsync();
            }
        })));
        await fixture.DisposeAsync();

        await using var reader = await Fixture.OpenAsync(store.Connect());
        for (var i = 0; i < Keys; i++)
            await reader.FillAsync($"key {i}");
        Assert.Equal(fixture.Application.Texts.OrderBy(t => t.Key), reader.Application.Texts.OrderBy(t => t.Key));
    }

    private sealed class SlowlyOpened : IStorageProxy
    {
        private readonly InMemoryStore _store = new();

        public TaskCompletionSource Opened { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public bool IsDisposed { get; private set; }

        public StorageCapabilities Capabilities => _store.Capabilities;

        public StorageLimits Limits => _store.Limits;

        public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
        {
            await Opened.Task;
            return await _store.OpenAsync(cancellationToken);
        }

        public ValueTask DisposeAsync()
        {
            IsDisposed = true;
            return _store.DisposeAsync();
        }
    }
}
