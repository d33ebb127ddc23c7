using Microsoft.Extensions.Time.Testing;
using Stout.Lanes.Shell;

namespace Stout.Documents.Tests;

/// <summary>A call ends within <see cref="StoutOptions.AnswerWithin"/>, with an error that tells the truth about its change.</summary>
public sealed class AnswerLimitTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(4);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = 30_000)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Change_in_flight_ends_as_unknown_exactly_at_the_limit_and_becomes_durable_later(bool withToken)
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var documents = await OpenAsync(store, time);
        var notes = documents.GetCollection<string>("notes");
        await notes.GetAsync("a", Token);
        using var caller = new CancellationTokenSource();
        using var hold = store.HoldWrites();
        time.Advance(TimeSpan.FromSeconds(10));
        var call = notes.UpdateAsync("a", _ => "late", withToken ? caller.Token : CancellationToken.None).AsTask();
        await hold.Arrived;

        time.Advance(Limit - TimeSpan.FromMilliseconds(1));
        Assert.False(call.IsCompleted);
        time.Advance(TimeSpan.FromMilliseconds(1));

        var error = await Assert.ThrowsAsync<OutcomeUnknownException>(() => call);
        Assert.Equal(OutcomeUnknownReason.NotAnsweredInTime, error.Reason);
        Assert.Equal("notes/a", error.Key.Text);
        // A read sees the change in memory, and waits until it is durable.
        var read = notes.GetAsync("a", Token).AsTask();
        Assert.False(read.IsCompleted);
        hold.Release();
        Assert.Equal("late", await read);
        Assert.Single(store.Writes);
    }

    [Fact(Timeout = 30_000)]
    public async Task Read_of_a_change_in_flight_ends_as_unknown_and_neither_sees_the_change_nor_its_absence()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var documents = await OpenAsync(store, time);
        var notes = documents.GetCollection<string>("notes");
        await notes.GetAsync("a", Token);
        using var hold = store.HoldWrites();
        var change = notes.UpdateAsync("a", _ => "late", Token).AsTask();
        await hold.Arrived;
        Task[] reads = [notes.GetAsync("a", Token).AsTask(), notes.ReadAsync("a", static view => view.Exists, Token).AsTask(), notes.GetManyAsync(["a"], Token).AsTask()];

        time.Advance(Limit);

        foreach (var call in (Task[])[change, .. reads])
            Assert.Equal(OutcomeUnknownReason.NotAnsweredInTime, (await Assert.ThrowsAsync<OutcomeUnknownException>(() => call)).Reason);
    }

    [Fact(Timeout = 30_000)]
    public async Task Call_without_its_object_ends_as_not_applied_or_not_read_and_the_object_is_read_anew()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var documents = await OpenAsync(store, time);
        var notes = documents.GetCollection<string>("notes");
        var runs = 0;
        Task[] reads;
        Task change;
        using (var hold = store.HoldReads())
        {
            reads = [notes.GetAsync("a", Token).AsTask(), notes.ReadAsync("a", static view => view.Exists, Token).AsTask()];
            change = notes.UpdateAsync("a", _ => $"{++runs}", Token).AsTask();
            await hold.Arrived;
            time.Advance(Limit);
            Assert.Equal(NotAppliedReason.NotAnsweredInTime, (await Assert.ThrowsAsync<NotAppliedException>(() => change)).Reason);
            foreach (var read in reads)
                Assert.IsType<TimeoutException>((await Assert.ThrowsAsync<FillFailedException>(() => read)).InnerException);
        }

        Assert.Null(await notes.GetAsync("a", Token));
        Assert.Equal(0, runs);
    }

    [Fact(Timeout = 30_000)]
    public async Task Change_that_waits_for_admission_ends_as_not_applied()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var documents = await OpenAsync(store, time, dirtyKeys: 1);
        var notes = documents.GetCollection<string>("notes");
        await notes.GetAsync("a", Token);
        await notes.GetAsync("b", Token);
        using var hold = store.HoldWrites();
        var first = notes.UpdateAsync("a", _ => "1", Token).AsTask();
        await hold.Arrived;
        time.Advance(TimeSpan.FromSeconds(1));
        var second = notes.UpdateAsync("b", _ => "2", Token).AsTask();

        time.Advance(TimeSpan.FromSeconds(3));
        await Assert.ThrowsAsync<OutcomeUnknownException>(() => first);
        Assert.False(second.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(NotAppliedReason.NotAnsweredInTime, (await Assert.ThrowsAsync<NotAppliedException>(() => second)).Reason);
        hold.Release();
        Assert.Null(await notes.GetAsync("b", Token));
    }

    [Fact(Timeout = 30_000)]
    public async Task Change_that_waits_for_the_objects_lock_ends_as_not_applied()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var documents = await OpenAsync(store, time);
        var notes = documents.GetCollection<string>("notes");
        await notes.GetAsync("a", Token);
        using var barrier = new Barrier();
        var holder = Task.Run(
            () => notes.UpdateAsync(
                "a",
                _ =>
                {
                    barrier.Pass();
                    return "held";
                },
                Token).AsTask(),
            Token);
        await barrier.Reached;
        var waiting = notes.UpdateAsync("a", _ => "never", Token).AsTask();

        time.Advance(Limit);

        Assert.Equal(NotAppliedReason.NotAnsweredInTime, (await Assert.ThrowsAsync<NotAppliedException>(() => waiting)).Reason);
        barrier.Open();
        // The function has ended after the limit, with its change made: the change becomes durable, or its caller has got an unknown outcome.
        await holder.ContinueWith(static _ => { }, TaskScheduler.Default);
        Assert.Equal("held", await notes.GetAsync("a", Token));
    }

    [Fact(Timeout = 30_000)]
    public async Task Confirmed_read_ends_as_unconfirmed()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var documents = await OpenAsync(store, time);
        var notes = documents.GetCollection<string>("notes");
        await notes.GetAsync("a", Token);
        using var hold = store.HoldReads();
        var read = notes.GetAsync("a", Freshness.Confirmed, Token).AsTask();
        await hold.Arrived;

        time.Advance(Limit);

        Assert.IsType<TimeoutException>((await Assert.ThrowsAsync<UnconfirmedException>(() => read)).InnerException);
    }

    [Fact(Timeout = 30_000)]
    public async Task Callers_own_cancellation_before_the_limit_stays_a_cancellation_of_its_token()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var documents = await OpenAsync(store, time);
        var notes = documents.GetCollection<string>("notes");
        using var caller = new CancellationTokenSource();
        using var hold = store.HoldReads();
        Task[] calls = [notes.GetAsync("a", caller.Token).AsTask(), notes.UpdateAsync("a", _ => "1", caller.Token).AsTask()];
        await hold.Arrived;

        await caller.CancelAsync();

        foreach (var call in calls)
            Assert.Equal(caller.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call)).CancellationToken);
    }

    [Fact(Timeout = 30_000)]
    public async Task Calls_of_the_base_layer_end_within_the_limit_and_the_handle_still_works()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var documents = await OpenAsync(store, time, dirtyKeys: 1);
        var notes = documents.GetCollection<string>("notes");
        await notes.GetAsync("a", Token);
        var handle = await documents.Client.FillAsync(new PartitionKey("notes/a"), Token);
        using var holdReads = store.HoldReads();
        using var holdWrites = store.HoldWrites();
        var change = notes.UpdateAsync("a", _ => "late", Token).AsTask();
        await holdWrites.Arrived;
        Task[] unknown = [change, handle.WhenSafeAsync(Token).AsTask(), handle.VersionWhenSafeAsync(Token).AsTask(), handle.ConfirmAsync(Token).AsTask(), handle.CloseWhenDrainedAsync(Token).AsTask()];
        var admission = handle.AdmitAsync(Token).AsTask();
        Task[] fills = [documents.Client.FillAsync(new PartitionKey("x"), Token).AsTask(), documents.Client.ClaimAsync(new PartitionKey("y"), cancellationToken: Token).AsTask()];
        var peek = documents.Client.PeekAsync(new PartitionKey("z"), Token).AsTask();

        time.Advance(Limit);

        foreach (var call in unknown)
            Assert.Equal(OutcomeUnknownReason.NotAnsweredInTime, (await Assert.ThrowsAsync<OutcomeUnknownException>(() => call)).Reason);
        await Assert.ThrowsAsync<OverloadException>(() => admission);
        foreach (var fill in fills)
            await Assert.ThrowsAsync<FillFailedException>(() => fill);
        await Assert.ThrowsAsync<Stout.Storage.StoreException>(() => peek);
        Assert.False(handle.IsClosed);
        holdWrites.Release();
        var version = await handle.VersionWhenSafeAsync(Token);
        Assert.Equal(handle.Version, version);
    }

    [Fact(Timeout = 30_000)]
    public async Task Listing_whose_store_is_silent_ends_within_the_limit()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var documents = await OpenAsync(store, time);
        store.Listed = _ => throw new Stout.Storage.StoreException(Stout.Storage.StoreErrorKind.Unreachable, "down");
        var listing = documents.GetCollection<string>("notes").ListAsync(cancellationToken: Token).ToListAsync(Token).AsTask();

        time.Advance(Limit);

        await Assert.ThrowsAsync<Stout.Storage.StoreException>(() => listing);
    }

    [Fact]
    public void Limit_is_off_by_default()
    {
        Assert.Null(AnswerLimits.Of(new StoutOptions(), TimeProvider.System));
        Assert.Throws<InvalidOptionException>(() => new StoutOptions { AnswerWithin = TimeSpan.Zero }.Validate());
    }

    [Fact]
    public void Calls_that_begin_together_share_one_source_and_none_ends_late()
    {
        var time = new FakeTimeProvider();
        using var limits = AnswerLimits.Of(new StoutOptions { AnswerWithin = TimeSpan.FromSeconds(64) }, time)!;
        var first = limits.Token;
        time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Equal(first, limits.Token);
        time.Advance(TimeSpan.FromMilliseconds(1));
        var second = limits.Token;
        Assert.NotEqual(first, second);

        time.Advance(TimeSpan.FromSeconds(63));
        Assert.True(first.IsCancellationRequested);
        Assert.False(second.IsCancellationRequested);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(second.IsCancellationRequested);
        Assert.False(limits.Token.IsCancellationRequested);
    }

    private static async Task<DocumentStore> OpenAsync(ControlledStore store, TimeProvider time, int dirtyKeys = 1000)
    {
        var options = Fixture.Options with { Stout = Fixture.Options.Stout with { AnswerWithin = Limit, MaxDirtyKeys = dirtyKeys } };
        var documents = new DocumentStore(store, options.Copy(), time);
        await documents.Client.OpenAsync(CancellationToken.None);
        return documents;
    }
}
