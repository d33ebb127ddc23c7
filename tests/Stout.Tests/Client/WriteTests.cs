using System.Text;
using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Client;

/// <summary>Changes that carry their bytes, and opened keys with what the store had.</summary>
public sealed class WriteTests
{
    private const int Patience = 30_000;

    private static readonly PartitionKey Key = new("a");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = Patience)]
    public async Task Write_returns_the_version_under_which_another_client_reads_the_parts()
    {
        var store = new InMemoryStore();
        await using var client = await OpenAsync(store);
        var opened = await client.OpenAsync(Key, Token);
        Assert.IsType<OpenedKey.Absent>(opened);

        var version = await opened.Handle.WriteAsync(new KeyChange().Set(default, Bytes("own")).Set(new SubKey("p"), Bytes("part")), Token);

        Assert.Equal(version, opened.Handle.Version);
        await using var other = await OpenAsync(store.Connect());
        var read = Assert.IsType<OpenedKey.Read>(await other.OpenAsync(Key, Token));
        Assert.Equal(version, read.Handle.Version);
        Assert.Equal("=own p=part", Show(read.Parts));
    }

    [Fact(Timeout = Patience)]
    public async Task Key_that_is_open_is_already_open_and_neither_read_nor_absent()
    {
        await using var client = await OpenAsync(new InMemoryStore());
        var first = await client.OpenAsync(Key, Token);
        await first.Handle.WriteAsync(new KeyChange().Set(default, Bytes("1")), Token);

        var again = Assert.IsType<OpenedKey.AlreadyOpen>(await client.OpenAsync(Key, Token));
        Assert.Same(first.Handle, again.Handle);
        Assert.IsType<OpenedKey.AlreadyOpen>(await client.OpenAsync(Key, Token));
        await first.Handle.CloseWhenDrainedAsync(Token);
        Assert.Equal("=1", Show(Assert.IsType<OpenedKey.Read>(await client.OpenAsync(Key, Token)).Parts));
    }

    [Fact(Timeout = Patience)]
    public async Task Claim_and_reopening_return_the_parts()
    {
        await using var client = await OpenAsync(new InMemoryStore());
        var claimed = Assert.IsType<OpenedKey.Absent>(await client.OpenClaimedAsync(Key, cancellationToken: Token));
        await claimed.Handle.WriteAsync(new KeyChange().Set(default, Bytes("1")), Token);

        var reopened = Assert.IsType<OpenedKey.Read>(await client.ReopenAsync(claimed.Handle, Token));
        Assert.Equal(("=1", claimed.Handle.Owner), (Show(reopened.Parts), reopened.Handle.Owner));
        var claimedAgain = Assert.IsType<OpenedKey.Read>(await client.OpenClaimedAsync(Key, cancellationToken: Token));
        Assert.Equal(("=1", 2), (Show(claimedAgain.Parts), claimedAgain.Handle.Epoch));
        await Assert.ThrowsAsync<HandleClosedException>(() => reopened.Handle.WriteAsync(new KeyChange().Set(default, Bytes("2")), Token).AsTask());
    }

    [Fact(Timeout = Patience)]
    public async Task Callers_that_share_a_read_get_the_same_parts()
    {
        var store = new InMemoryStore();
        await using (var before = await OpenAsync(store))
            await (await before.OpenAsync(Key, Token)).Handle.WriteAsync(new KeyChange().Set(default, Bytes("1")), Token);
        await using var client = await OpenAsync(store.Connect());

        var opened = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => client.OpenAsync(Key, Token).AsTask()));

        Assert.All(opened.OfType<OpenedKey.Read>(), read => Assert.Equal("=1", Show(read.Parts)));
        Assert.Contains(opened, static key => key is OpenedKey.Read);
        Assert.DoesNotContain(opened, static key => key is OpenedKey.Absent);
        Assert.Single(opened.Select(static key => key.Handle).Distinct());
    }

    [Fact(Timeout = Patience)]
    public async Task Changes_between_two_batches_leave_together_and_a_replacement_drops_what_came_before()
    {
        var store = new HeldStore();
        await using var client = await OpenAsync(store);
        var handle = (await client.OpenAsync(Key, Token)).Handle;
        var first = handle.WriteAsync(new KeyChange().Set(new SubKey("p"), Bytes("1")), Token).AsTask();
        var held = await store.NextWriteAsync();
        handle.Write(new KeyChange().Set(new SubKey("q"), Bytes("2")));
        var replaced = handle.WriteAsync(new KeyChange { ReplacesObject = true }.Set(new SubKey("r"), Bytes("3")).Remove(new SubKey("p")), Token).AsTask();
        var last = handle.WriteAsync(new KeyChange().Set(new SubKey("s"), Bytes("4")), Token).AsTask();
        Assert.False(first.IsCompleted);

        held.Commit();
        await first;
        Assert.False(replaced.IsCompleted);
        (await store.NextWriteAsync()).Commit();

        Assert.Equal(await replaced, await last);
        store.Holds = false;
        Assert.Equal("r=3 s=4", Show((await client.PeekAsync(Key, Token)).Parts));
        Assert.Equal(2, client.GetStatistics().KeysWritten);
    }

    [Fact(Timeout = Patience)]
    public async Task Deletion_leaves_no_object()
    {
        await using var client = await OpenAsync(new InMemoryStore());
        var handle = (await client.OpenAsync(Key, Token)).Handle;
        await handle.WriteAsync(new KeyChange().Set(default, Bytes("1")), Token);
        await handle.WriteAsync(new KeyChange { ReplacesObject = true }, Token);
        Assert.False((await client.PeekAsync(Key, Token)).Exists);
    }

    [Fact(Timeout = Patience)]
    public async Task Changes_that_exceed_one_request_together_leave_one_after_the_other_and_messages_keep_their_place()
    {
        var store = new HeldStore { Limits = new StorageLimits { MaxValueBytes = 60, MaxChangeSetBytes = 100, MaxChangeSetParts = 3, MaxBatchKeys = 10, MaxBatchBytes = 1_000 } };
        await using var client = await OpenAsync(store);
        var handle = (await client.OpenAsync(Key, Token)).Handle;
        var writes = new List<Task>();
        foreach (var (part, size) in new[] { ("p", 60), ("q", 60), ("r", 40), ("s", 60) })
            writes.Add(handle.WriteAsync(new KeyChange().Set(new SubKey(part), new byte[size]), Token).AsTask());
        var safe = handle.WhenSafeAsync(Token).AsTask();
        writes.Add(handle.WriteAsync(new KeyChange().Set(new SubKey("t"), new byte[1]), Token).AsTask());

        foreach (var durable in new[] { 1, 3, 5 })
        {
            Assert.False(safe.IsCompleted);
            (await store.NextWriteAsync()).Commit();
            await writes[durable - 1];
            Assert.All(writes.Skip(durable), static later => Assert.False(later.IsCompleted));
        }

        await safe;
        Assert.Equal(0, client.GetStatistics().UndurableBytes);
    }

    [Fact(Timeout = Patience)]
    public async Task Failure_of_a_change_fails_the_postponed_ones_as_not_sent()
    {
        var store = new HeldStore { Limits = new StorageLimits { MaxValueBytes = 60, MaxChangeSetBytes = 100, MaxChangeSetParts = 3, MaxBatchKeys = 10, MaxBatchBytes = 1_000 } };
        await using var client = await OpenAsync(store);
        var handle = (await client.OpenAsync(Key, Token)).Handle;
        var sent = handle.WriteAsync(new KeyChange().Set(new SubKey("p"), new byte[60]), Token).AsTask();
        var postponed = handle.WriteAsync(new KeyChange().Set(new SubKey("q"), new byte[60]), Token).AsTask();
        var message = handle.WhenSafeAsync(Token).AsTask();
        (await store.NextWriteAsync()).Fail(new StoreException(StoreErrorKind.Refused, "No."));

        await Assert.ThrowsAsync<NotAppliedException>(() => sent);
        await Assert.ThrowsAsync<HandleClosedException>(() => postponed);
        await Assert.ThrowsAsync<NotAppliedException>(() => message);
        Assert.Equal((0, 0), (client.GetStatistics().UndurableBytes, client.GetStatistics().WaitingMessages));
    }

    [Fact(Timeout = Patience)]
    public async Task Cancellation_ends_the_wait_and_never_the_change()
    {
        var store = new HeldStore();
        await using var client = await OpenAsync(store);
        var handle = (await client.OpenAsync(Key, Token)).Handle;
        using var patience = new CancellationTokenSource();
        var write = handle.WriteAsync(new KeyChange().Set(default, Bytes("1")), patience.Token).AsTask();
        var held = await store.NextWriteAsync();
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => write);
        held.Commit();
        await handle.WhenSafeAsync(Token);
        Assert.Equal("=1", Show((await client.PeekAsync(Key, Token)).Parts));

        var change = new KeyChange().Set(default, Bytes("2"));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => handle.WriteAsync(change, patience.Token).AsTask());
        await handle.WhenSafeAsync(Token);
        Assert.Equal("=1", Show((await client.PeekAsync(Key, Token)).Parts));
        store.Holds = false;
        await handle.WriteAsync(change, Token);
        Assert.Equal("=2", Show((await client.PeekAsync(Key, Token)).Parts));
    }

    [Fact(Timeout = Patience)]
    public async Task Change_that_no_request_can_carry_is_refused_before_it_changes_anything()
    {
        var store = new HeldStore { Limits = new StorageLimits { MaxValueBytes = 60, MaxChangeSetBytes = 100, MaxChangeSetParts = 3, MaxBatchKeys = 10, MaxBatchBytes = 1_000 } };
        await using var client = await OpenAsync(store);
        var handle = (await client.OpenAsync(Key, Token)).Handle;
        var tooLarge = new (KeyChange Change, ChangeLimit Limit)[]
        {
            (new KeyChange().Set(default, new byte[61]), ChangeLimit.ValueBytes),
            (new KeyChange().Set(default, new byte[60]).Set(new SubKey("p"), new byte[41]), ChangeLimit.ChangeSetBytes),
            (new KeyChange().Remove(new SubKey("p")).Remove(new SubKey("q")).Remove(new SubKey("r")).Remove(new SubKey("s")), ChangeLimit.ChangeSetParts),
        };
        foreach (var (change, limit) in tooLarge)
        {
            Assert.Equal(limit, (await Assert.ThrowsAsync<ChangeTooLargeException>(() => handle.WriteAsync(change, Token).AsTask())).Kind);
            Assert.Equal(limit, Assert.Throws<ChangeTooLargeException>(() => handle.Write(change)).Kind);
        }

        Assert.False(handle.IsClosed);
        Assert.Equal(0, client.GetStatistics().Changes);
    }

    [Fact(Timeout = Patience)]
    public async Task Change_is_written_once_and_is_not_empty()
    {
        await using var client = await OpenAsync(new InMemoryStore());
        var handle = (await client.OpenAsync(Key, Token)).Handle;
        var change = new KeyChange().Set(default, Bytes("1"));
        await handle.WriteAsync(change, Token);
        Assert.Throws<InvalidOperationException>(() => handle.Write(change));
        Assert.Throws<InvalidOperationException>(() => change.Set(default, Bytes("2")));
        Assert.Throws<InvalidOperationException>(() => handle.Write(new KeyChange()));
    }

    [Fact(Timeout = Patience)]
    public async Task A_key_is_either_marked_or_written()
    {
        await using var client = await OpenAsync(new InMemoryStore());
        var written = (await client.OpenAsync(Key, Token)).Handle;
        Assert.Throws<InvalidOperationException>(() => written.MarkDirty());
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        var marked = await fixture.FillAsync("a");
        Assert.Throws<InvalidOperationException>(() => marked.Write(new KeyChange().Set(default, Bytes("1"))));
    }

    [Fact(Timeout = Patience)]
    public async Task Too_much_undurable_data_holds_a_write_back_or_refuses_it()
    {
        foreach (var behavior in new[] { OverloadBehavior.Wait, OverloadBehavior.Fail })
        {
            var store = new HeldStore();
            await using var client = await OpenAsync(store, new StoutOptions { Pacing = PacingLaws.NoBatching(), MaxDirtyKeys = 1, OverloadBehavior = behavior });
            var (first, second) = ((await client.OpenAsync(Key, Token)).Handle, (await client.OpenAsync(new PartitionKey("b"), Token)).Handle);
            var write = first.WriteAsync(new KeyChange().Set(default, Bytes("1")), Token).AsTask();
            var held = await store.NextWriteAsync();
            var change = new KeyChange().Set(default, Bytes("2"));
            var next = second.WriteAsync(change, Token).AsTask();
            if (behavior == OverloadBehavior.Fail)
                await Assert.ThrowsAsync<OverloadException>(() => next);
            Assert.Equal(1, client.GetStatistics().Changes);
            store.Holds = false;
            held.Commit();
            await write;
            // A change that was refused is not used up.
            await (behavior == OverloadBehavior.Wait ? next : second.WriteAsync(change, Token).AsTask());
            Assert.Equal("=2", Show((await client.PeekAsync(second.Key, Token)).Parts));
        }
    }

    private static ValueTask<StoutClient> OpenAsync(IStorageProxy store, StoutOptions? options = null) =>
        StoutClient.OpenAsync(store, options ?? new StoutOptions { Pacing = PacingLaws.NoBatching() }, cancellationToken: Token);

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    private static string Show(IEnumerable<StoredPart> parts) =>
        string.Join(' ', parts.Select(part => $"{part.SubKey.Text}={Encoding.UTF8.GetString(part.Value.Span)}").Order(StringComparer.Ordinal));
}
