using Microsoft.Extensions.Time.Testing;
using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Client;

/// <summary>The application's callbacks, in tests of a whole client with its store.</summary>
public sealed class CallbackTests
{
    private const int Patience = 30_000;

    [Fact(Timeout = Patience)]
    public async Task However_many_fill_a_key_there_is_one_read_and_one_callback()
    {
        var store = new HeldStore { Holds = false };
        await using var fixture = await Fixture.OpenAsync(store);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        fixture.Application.OnDeserialize = async _ => await release.Task;
        var callers = Enumerable.Range(0, 20).Select(_ => fixture.FillAsync("a")).ToArray();
        release.SetResult();

        Assert.Single((await Task.WhenAll(callers)).Distinct());
        Assert.Equal((1, 1), (store.Reads, fixture.Application.Deserialized));
    }

    [Fact(Timeout = Patience)]
    public async Task A_handle_does_not_work_before_its_fill_has_completed()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        Exception? thrown = null;
        fixture.Application.OnDeserialize = filled =>
        {
            thrown = Record.Exception(() => filled.Handle.MarkDirty());
            return ValueTask.CompletedTask;
        };
        var handle = await fixture.FillAsync("a");

        Assert.IsType<InvalidOperationException>(thrown);
        await fixture.ChangeAsync(handle, "now it does");
    }

    [Fact(Timeout = Patience)]
    public async Task A_serialize_callback_that_hangs_delays_no_other_key_and_fails_its_own_after_the_time_limit()
    {
        var time = new FakeTimeProvider();
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore(), null, time);
        var (hung, other) = (await Open(fixture, "hung"), await Open(fixture, "other"));
        var hangs = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var never = new TaskCompletionSource();
        fixture.Application.OnSerialize = async (batch, _) =>
        {
            if (batch[0].Key.Text == "hung")
            {
                hangs.SetResult();
                await never.Task;
            }

            fixture.Application.SerializeAll(batch);
        };
        var waiting = fixture.ChangeAsync(hung, "never");
        await hangs.Task;
        await fixture.ChangeAsync(other, "at once");
        Assert.False(waiting.IsCompleted);

        time.Advance(TimeSpan.FromSeconds(31));

        Assert.Equal(NotAppliedReason.SerializationTimedOut, (await Assert.ThrowsAsync<NotAppliedException>(() => waiting)).Reason);
    }

    [Fact(Timeout = Patience)]
    public async Task A_key_that_cannot_be_serialized_fails_alone()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        var (bad, good) = (await Open(fixture, "bad"), await Open(fixture, "good"));
        fixture.Application.OnSerialize = (batch, _) =>
        {
            for (var i = 0; i < batch.Count; i++)
            {
                if (batch[i].Key.Text == "bad")
                    throw new FormatException();
                fixture.Application.Serialize(batch[i]);
            }

            return ValueTask.CompletedTask;
        };
        var (first, second) = (fixture.ChangeAsync(bad, ""), fixture.ChangeAsync(good, ""));

        Assert.IsType<FormatException>((await Assert.ThrowsAsync<NotAppliedException>(() => first)).InnerException);
        await second;
    }

    [Fact(Timeout = Patience)]
    public async Task A_slow_partition_slows_no_other()
    {
        var store = new HeldStore(partitions: 2);
        await using var fixture = await Fixture.OpenAsync(store);
        var keys = Enumerable.Range(0, 100).Select(i => $"key {i}").ToLookup(key => Slots.PartitionOf(Slots.Of(new PartitionKey(key)), 2));
        var slow = fixture.ChangeAsync(await Open(fixture, keys[0].First()), "slow");
        var held = await store.NextWriteAsync(0);
        foreach (var key in keys[1])
        {
            var fast = fixture.ChangeAsync(await Open(fixture, key), "fast");
            (await store.NextWriteAsync(1)).Commit();
            await fast;
        }

        Assert.False(slow.IsCompleted);
        held.Commit();
        await slow;
    }

    [Fact(Timeout = Patience)]
    public async Task A_law_that_throws_ends_the_lane_with_an_answer_for_everyone()
    {
        var broken = new InvalidOperationException("a broken law");
        var options = new StoutOptions { Pacing = () => new RecordingLaw { Error = broken } };
        var store = new HeldStore();
        var fixture = await Fixture.OpenAsync(store, options);
        var (first, second) = (await Open(fixture, "a"), await Open(fixture, "b"));
        var sent = fixture.ChangeAsync(first, "");
        var held = await store.NextWriteAsync();
        var other = fixture.ChangeAsync(second, "");
        held.Commit();

        await sent;
        await Assert.ThrowsAnyAsync<KeyException>(() => other);
        Assert.Same(broken, await Assert.ThrowsAsync<InvalidOperationException>(() => fixture.DisposeAsync().AsTask()));
        Assert.True(store.IsDisposed);
        await Assert.ThrowsAsync<StoppedException>(() => fixture.FillAsync("c"));
    }

    private static Task<KeyHandle> Open(Fixture fixture, string key) => fixture.Client.OpenAsAbsentAsync(new PartitionKey(key)).AsTask();
}
