using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary><see cref="StorageCapabilities.Shared"/> means that no client reads a cache or a lagging copy (promise 3).</summary>
    [Fact]
    public async Task Client_sees_at_once_what_another_has_committed()
    {
        await using var first = await OpenAsync();
        SkipUnless(first.Proxy.Capabilities.Shared, nameof(StorageCapabilities.Shared));
        await using var second = await OpenSecondAsync(first);
        var stamp = await first.PutAsync("key", Stamp.Absent, parts: [Part("", "first's")]);
        Assert.Equal(stamp, (await second.ReadAsync("key")).Stamp);

        var next = await second.PutAsync("key", stamp, parts: [Part("", "second's")]);

        var read = await first.ReadAsync("key");
        Assert.Equal((next, "=second's"), (read.Stamp, Show(read)));
    }

    /// <summary>Stamps are compared and written in one step (promise 3).</summary>
    [Fact]
    public async Task Of_two_writers_that_expect_the_same_stamp_one_commits()
    {
        await using var first = await OpenAsync();
        await using var second = await OpenSecondAsync(first);
        var stamp = Stamp.Absent;
        for (var round = 0; round < 50; round++)
        {
            KeyWrite[] writes = [first.NewWrite("key", stamp), second.NewWrite("key", stamp)];

            var outcomes = await Task.WhenAll(
                Task.Run(() => first.WriteAsync(writes[0], Part("", "0"))),
                Task.Run(() => second.WriteAsync(writes[1], Part("", "1"))));

            Assert.Equal([WriteOutcomeKind.Committed, WriteOutcomeKind.Conflict], outcomes.Select(outcome => outcome.Kind).Order());
            var winner = outcomes[0].Kind == WriteOutcomeKind.Committed ? 0 : 1;
            var read = await first.ReadAsync("key");
            Assert.Equal((writes[winner].Next, $"={winner}"), (read.Stamp, Show(read)));
            stamp = read.Stamp;
        }
    }

    /// <summary>If two clients send the same write, the second one finds a repetition, not a conflict (promise 3).</summary>
    [Fact]
    public async Task Write_that_is_sent_twice_at_once_is_committed_twice()
    {
        await using var store = await OpenAsync();
        var stamp = Stamp.Absent;
        for (var round = 0; round < 50; round++)
        {
            var write = store.NewWrite("key", stamp, KeyWriteKind.Replace);

            var outcomes = await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => Task.Run(() => store.WriteAsync(write, Part("", $"{round}")))));

            Assert.All(outcomes, outcome => Assert.Equal(WriteOutcomeKind.Committed, outcome.Kind));
            stamp = write.Next;
            Assert.Equal($"={round}", Show(await store.ReadAsync("key")));
        }
    }

    /// <summary>Once the new owner has read, no write of the old owner is acknowledged (promise 4).</summary>
    [Fact]
    public async Task Claim_beside_the_old_owners_writes_shows_the_last_that_was_committed()
    {
        await using var owner = await OpenAsync();
        SkipUnless(owner.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        await using var heir = await OpenSecondAsync(owner);
        var isClaimed = false;
        for (var epoch = 1; epoch <= 20; epoch++)
        {
            Volatile.Write(ref isClaimed, false);
            var underWay = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var read = await owner.ReadAsync("key", epoch);
            var writing = Task.Run(() => WriteUntilFencedAsync(read.Stamp, epoch, underWay));
            await underWay.Task;

            var claimed = await ClaimAsync(epoch + 1);

            Assert.Equal($"={await writing}", Show(claimed));
            Assert.Equal(epoch + 1, claimed.Stamp.Epoch);
        }

        async Task<ReadOutcome> ClaimAsync(long epoch)
        {
            try
            {
                return await heir.ReadAsync("key", epoch);
            }
            finally
            {
                Volatile.Write(ref isClaimed, true);
            }
        }

        // Returns the last acknowledged number. A few writes follow the claim; a bound ends the test at a store without fencing.
        async Task<int> WriteUntilFencedAsync(Stamp stamp, long epoch, TaskCompletionSource underWay)
        {
            var late = 0;
            for (var number = 1; late < 100; number++)
            {
                await Task.Yield();
                late += Volatile.Read(ref isClaimed) ? 1 : 0;
                var write = owner.NewWrite("key", stamp, epoch: epoch);
                var outcome = await owner.WriteAsync(write, Part("", $"{number}"));
                underWay.TrySetResult();
                if (outcome.Kind == WriteOutcomeKind.Fenced)
                    return number - 1;
                Assert.Equal(WriteOutcomeKind.Committed, outcome.Kind);
                stamp = write.Next;
            }

            Assert.Fail("The old owner goes on writing after the claim.");
            return 0;
        }
    }
}
