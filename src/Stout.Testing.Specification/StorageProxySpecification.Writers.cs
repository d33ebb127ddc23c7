using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary><see cref="StorageCapabilities.Shared"/> means that no client reads a cache or a lagging copy.</summary>
    [Fact]
    public async Task Client_sees_at_once_what_another_has_committed()
    {
        await using var first = await OpenAsync();
        SkipUnless(first.Proxy.Capabilities.Shared, nameof(StorageCapabilities.Shared));
        await using var second = await OpenSecondAsync(first);
        var stamp = await first.PutAsync("key", Stamp.Absent, parts: [Part("", "first's")]);
        Assert.Equal(stamp, (await second.ReadAsync("key")).Version);

        var next = await second.PutAsync("key", stamp, parts: [Part("", "second's")]);

        var read = await first.ReadAsync("key");
        Assert.Equal((next, "=second's"), (read.Version, Show(read)));
    }

    /// <summary>Stamps are compared and written in one step.</summary>
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
            Assert.Equal((writes[winner].Next, $"={winner}"), (read.Version, Show(read)));
            stamp = read.Version;
        }
    }

    /// <summary>If the same write is sent twice at once, both requests succeed: the second one is a repetition, and not a conflict.</summary>
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

    /// <summary>Once the new owner has read, no write of the old owner is acknowledged.</summary>
    [Fact]
    public async Task Claim_beside_the_old_owners_writes_shows_the_last_that_was_committed()
    {
        await using var owner = await OpenWithClaimsAsync();
        await using var heir = await OpenSecondAsync(owner);
        var isClaimed = false;
        for (var round = 0; round < 20; round++)
        {
            Volatile.Write(ref isClaimed, false);
            var underWay = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var read = await owner.ClaimAsync("key");
            var writing = Task.Run(() => WriteUntilFencedAsync(read, underWay));
            await underWay.Task;

            var claimed = await ClaimAsync();

            Assert.Equal($"={await writing}", Show(claimed));
            Assert.Equal(read.Owner.Epoch + 1, claimed.Owner.Epoch);
        }

        async Task<ReadOutcome> ClaimAsync()
        {
            try
            {
                return await heir.ClaimAsync("key");
            }
            finally
            {
                Volatile.Write(ref isClaimed, true);
            }
        }

        // Returns the last acknowledged number. At most 100 writes come after the claim, so that the loop ends on a store that does not fence.
        async Task<int> WriteUntilFencedAsync(ReadOutcome read, TaskCompletionSource underWay)
        {
            var (late, version) = (0, read.Version);
            for (var number = 1; late < 100; number++)
            {
                await Task.Yield();
                late += Volatile.Read(ref isClaimed) ? 1 : 0;
                var write = owner.NewWrite("key", version, owner: read.Owner);
                var outcome = await owner.WriteAsync(write, Part("", $"{number}"));
                underWay.TrySetResult();
                if (outcome.Kind == WriteOutcomeKind.Fenced)
                    return number - 1;
                Assert.Equal(WriteOutcomeKind.Committed, outcome.Kind);
                version = write.Next;
            }

            Assert.Fail("The old owner goes on writing after the claim.");
            return 0;
        }
    }
}
