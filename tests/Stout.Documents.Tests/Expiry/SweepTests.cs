using System.Diagnostics;
using Microsoft.Extensions.Time.Testing;
using Stout.Diagnostics;
using Stout.Storage;
using Stout.Tests;

namespace Stout.Documents.Tests.Expiry;

/// <summary>The sweep deletes objects that expired long enough ago and were not renewed. It works in bounded memory.</summary>
public sealed class SweepTests
{
    private static readonly CollectionOptions<string> EachMinute = Expiring.Options with { SweepInterval = TimeSpan.FromMinutes(1), MaxClockSkew = TimeSpan.FromSeconds(30) };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<OnConflict> Conflicts => [OnConflict.Fail, OnConflict.Retry];

    [Fact]
    public async Task Sweep_deletes_what_had_expired_by_then_in_memory_or_not()
    {
        var store = new ControlledStore();
        await using (var before = await Expiring.OpenAsync(store.Connect()))
        {
            foreach (var text in (string[])["1|9", "2|10", "3|11", "4"])
                await before.Notes.PutAsync(text, text);
            await before.Notes.PutAsync("parts", "p", "x|1");
        }

        await using var one = await Expiring.OpenAsync(store);
        one.At(20);
        await one.Notes.PutAsync("memory", "x|10");
        await one.SweepAsync(10);
        Assert.Equal(["3|11", "4", "parts"], (await one.Notes.ListAsync(cancellationToken: Token).ToListAsync(Token)).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Sweep_keeps_a_bounded_number_of_objects_in_memory()
    {
        var store = new ControlledStore();
        await using (var before = await Expiring.OpenAsync(store.Connect()))
            await Task.WhenAll(Enumerable.Range(0, 1_500).Select(i => before.Notes.PutAsync($"{i}", i % 3 == 0 ? "x" : "x|10")));
        await using var one = await Expiring.OpenAsync(store, of: Fixture.Options with { MaxCachedObjects = 20 });
        for (var i = 0; i < 20; i++)
            await one.Notes.GetAsync($"mine {i}", Token);
        var (most, pages) = (0, 0);
        store.Listed = _ => pages++;
        store.Written = _ => most = Math.Max(most, one.Documents.GetStatistics().OpenKeys);
        await one.SweepAsync(10);
        Assert.Equal(500, await one.Notes.ListAsync(cancellationToken: Token).CountAsync(Token));
        Assert.Equal(4, pages); // Two pages for each of the two listings. The second listing's pages contain headers of deleted objects.
        Assert.InRange(most, 1, 20 + 2 * 64);
        Assert.InRange(one.Documents.GetStatistics().OpenKeys, 0, 20);
    }

    [Theory]
    [MemberData(nameof(Conflicts))]
    public async Task Object_that_is_renewed_while_the_sweep_deletes_it_stays(OnConflict onConflict)
    {
        var store = new ControlledStore();
        await using var renewer = await Expiring.OpenAsync(store.Connect());
        await renewer.Notes.PutAsync("a", "x|10");
        await using var sweeper = await Expiring.OpenAsync(store, Expiring.Options with { OnConflict = onConflict });
        sweeper.At(100);
        using var hold = store.HoldWrites();
        var sweep = sweeper.SweepAsync(10);
        await hold.Arrived;
        await renewer.Notes.PutAsync("a", "y|1000");
        hold.Release();
        await sweep;
        Assert.Equal("y|1000", await renewer.Notes.GetAsync("a", Token));
        Assert.Equal("y|1000", await sweeper.Notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Change_of_an_expired_object_that_another_process_has_swept_succeeds()
    {
        var store = new ControlledStore();
        await using var owner = await Expiring.OpenAsync(store);
        await owner.Notes.PutAsync("a", "x|10");
        await using var sweeper = await Expiring.OpenAsync(store.Connect());
        await sweeper.SweepAsync(10);
        owner.At(10);

        // Both changes are under way together, and the second is made on top of the first.
        using var hold = store.HoldWrites();
        var first = owner.Notes.UpdateAsync("a", text => (text ?? "") + "1", Token).AsTask();
        await hold.Arrived;
        var second = owner.Notes.UpdateAsync("a", text => (text ?? "") + "2", Token).AsTask();
        hold.Release();
        var made = await Task.WhenAll(first, second); // The two functions have run again, in either order.
        Assert.Equal(3, made.Sum(text => text!.Length));
        Assert.Equal(made.MaxBy(text => text!.Length), await owner.Notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Replicas_that_sweep_at_once_delete_everything_once()
    {
        var store = new ControlledStore();
        await using var one = await Expiring.OpenAsync(store);
        await using var two = await Expiring.OpenAsync(store.Connect());
        await Task.WhenAll(Enumerable.Range(0, 200).Select(i => one.Notes.PutAsync($"{i}", $"x|{i}")));
        await Task.WhenAll(one.SweepAsync(99), two.SweepAsync(99));
        Assert.Equal(100, await one.Notes.ListAsync(cancellationToken: Token).CountAsync(Token));
    }

    [Fact]
    public async Task Object_that_can_not_be_read_stops_no_other()
    {
        var store = new ControlledStore();
        await using (var before = await Expiring.OpenAsync(store.Connect()))
        {
            foreach (var id in (string[])["a", "b", "c"])
                await before.Notes.PutAsync(id, "x|10");
        }

        await using var one = await Expiring.OpenAsync(store);
        store.AnswerRead = key => key.EndsWith("/b", StringComparison.Ordinal) ? ReadOutcome.Of(new StoreException(StoreErrorKind.Refused, "damaged")) : null;
        await one.SweepAsync(10);
        Assert.Equal(["b"], await one.Notes.ListAsync(cancellationToken: Token).ToListAsync(Token));
    }

    [Fact]
    public async Task Object_whose_function_never_returns_holds_up_the_sweep_for_a_bounded_time()
    {
        var (store, timers) = (new ControlledStore(), new FakeTimeProvider(Expiring.Start));
        await using var one = await Expiring.OpenAsync(store, timers: timers);
        await one.Notes.PutAsync("a", "x|10");
        await one.Notes.PutAsync("b", "x|10");
        one.At(20);
        using var barrier = new Barrier();
        var held = Task.Run(() => one.Notes.ReadAsync("a", view => { barrier.Pass(); return view.Exists; }, Token).AsTask(), Token);
        await barrier.Reached;
        var deleted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        store.Written = _ => deleted.TrySetResult();
        var sweep = one.SweepAsync(10);
        await deleted.Task;
        Assert.False(sweep.IsCompleted);
        timers.Advance(TimeSpan.FromSeconds(46)); // Longer than UnreachableTimeout (30 s) and RequestTimeout (15 s) together.
        await sweep;
        Assert.Null(await store.PeekAsync("notes/b"));
        Assert.NotNull(await store.PeekAsync("notes/a"));
        barrier.Open();
        Assert.False(await held);
    }

    [Fact]
    public async Task Collection_sweeps_by_itself_and_deletes_after_the_skew()
    {
        var (store, timers) = (new ControlledStore(), new FakeTimeProvider(Expiring.Start));
        await using var one = await Expiring.OpenAsync(store, EachMinute, timers);
        await one.Notes.PutAsync("a", "x|60");
        var listed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        store.Listed = _ => listed.TrySetResult();
        timers.Advance(TimeSpan.FromSeconds(89.999));
        await listed.Task;
        var loop = Assert.Single(one.Documents.Sweeps);
        await loop.Running;
        Assert.NotNull(await store.PeekAsync("notes/a"));
        timers.Advance(TimeSpan.FromSeconds(0.001));
        await loop.RunAsync();
        Assert.Null(await store.PeekAsync("notes/a"));
    }

    [Fact]
    public async Task Clock_that_is_a_day_ahead_for_less_than_an_interval_costs_no_object()
    {
        var (store, timers) = (new ControlledStore(), new FakeTimeProvider(Expiring.Start));
        await using var one = await Expiring.OpenAsync(store, EachMinute, timers);
        await one.Notes.PutAsync("a", "x|600");
        foreach (var ahead in (double[])[86_400, 0, 86_400, -86_400, 86_400, 0])
        {
            one.At(ahead);
            await one.Documents.Sweeps[0].RunAsync();
            Assert.Equal(ahead > 600 ? null : "x|600", await one.Notes.GetAsync("a", Token));
        }

        // The first sweep that finds the clock ahead does not believe it. The second one in a row does.
        one.At(86_400);
        await one.Documents.Sweeps[0].RunAsync();
        Assert.NotNull(await store.PeekAsync("notes/a"));
        await one.Documents.Sweeps[0].RunAsync();
        Assert.Null(await store.PeekAsync("notes/a"));
    }

    [Fact]
    public async Task Sweep_that_fails_is_logged_and_the_next_one_goes_on()
    {
        var (store, log, timers) = (new ControlledStore(), new RecordingLog(), new FakeTimeProvider(Expiring.Start));
        var options = new DocumentStoreOptions { Stout = Fixture.Options.Stout with { Diagnostics = new StoutDiagnostics { LoggerFactory = log } } };
        await using var one = await Expiring.OpenAsync(store, EachMinute, timers, options);
        await one.Notes.PutAsync("a", "x|-100");
        store.Listed = _ => throw new StoreException(StoreErrorKind.Refused, "no permission");
        await one.Documents.Sweeps[0].RunAsync();
        Assert.Contains("notes", Assert.Single(log.Of(StoutLogEvents.BackgroundJobFailed)).Text, StringComparison.Ordinal);
        Assert.Equal("expiry of collection notes (Refused)", one.Documents.GetStatistics().BackgroundFailure);
        store.Listed = _ => { };
        timers.Advance(TimeSpan.FromSeconds(1));
        await one.Documents.Sweeps[0].RunAsync();
        Assert.Null(await store.PeekAsync("notes/a"));
    }

    [Fact]
    public async Task Sweeping_ends_with_the_store()
    {
        var store = new ControlledStore();
        var one = await Expiring.OpenAsync(store, EachMinute);
        await one.Notes.PutAsync("a", "x|-100");
        using var hold = store.HoldWrites();
        var sweep = one.Documents.Sweeps[0].RunAsync();
        await hold.Arrived;

        // From the disposal on, the sweep no longer waits for its deletion, but the disposal itself does.
        var end = one.DisposeAsync().AsTask();
        await sweep;
        hold.Release();
        await end;
        Assert.Same(sweep, one.Documents.Sweeps[0].RunAsync()); // No further run has begun.
        one.Documents.GetCollection("late", EachMinute);
        Assert.Single(one.Documents.Sweeps);
    }

    [Fact]
    public async Task Sweep_is_no_part_of_the_span_in_which_it_began()
    {
        var store = new ControlledStore();
        await using (var before = await Expiring.OpenAsync(store.Connect()))
            await before.Notes.PutAsync("a", "x");
        await using var documents = await Fixture.OpenAsync(store, time: new FakeTimeProvider());
        var seen = new List<Activity?>();
        documents.GetCollection("notes", EachMinute with
        {
            ExpiresAt = _ =>
            {
                seen.Add(Activity.Current);
                return null;
            },
        });
        using var span = new Activity("a caller's").Start();
        await documents.Sweeps[0].RunAsync();
        Assert.Null(Assert.Single(seen));
    }

    [Fact]
    public async Task Store_that_is_not_open_yet_is_not_swept()
    {
        var store = new ControlledStore { Listed = _ => throw new InvalidOperationException("listed") };
        await using var documents = new DocumentStore(store, Fixture.Options.Copy(), new FakeTimeProvider());
        // Called directly, since the loop would report the error instead of throwing it.
        await documents.GetCollection("notes", EachMinute).SweepAsync(DateTimeOffset.MaxValue, Token);
    }
}
