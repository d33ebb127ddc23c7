using Microsoft.Extensions.Time.Testing;
using System.Diagnostics;
using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Support;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.Tests.Client;

/// <summary>The loop around a lane's core: every input reaches the core, every command of the core is carried out, and nothing is left behind.</summary>
public sealed class ShellTests : IAsyncDisposable
{
    private const int Patience = 30_000;

    private readonly HeldStore _store = new();

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact(Timeout = Patience)]
    public async Task Callers_wait_at_the_door_until_there_is_room_or_they_give_up()
    {
        await using var fixture = await Fixture.OpenAsync(_store, Options(options => options.MaxDirtyKeys = 1));
        var handle = await OpenAsync(fixture, "a");
        var first = handle.AdmitAsync(Cancel);
        Assert.True(first.IsCompletedSuccessfully);
        await first;
        var change = fixture.ChangeAsync(handle, "text");
        var write = await _store.NextWriteAsync();

        using var patience = new CancellationTokenSource();
        var (waiting, impatient) = (handle.AdmitAsync(Cancel).AsTask(), handle.AdmitAsync(patience.Token).AsTask());
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => impatient);
        Assert.False(waiting.IsCompleted);
        write.Commit();

        await waiting;
        await change;
    }

    [Fact(Timeout = Patience)]
    public async Task Deletions_reach_the_store_of_a_part_and_of_the_whole()
    {
        await using var fixture = await Fixture.OpenAsync(_store);
        var handle = await OpenAsync(fixture, "a");
        var change = fixture.ChangeAsync(handle, "text");
        (await _store.NextWriteAsync()).Commit();
        await change;

        handle.MarkDeleted(new SubKey("part"));
        var ofPart = await _store.NextWriteAsync();
        Assert.True(Assert.Single(ofPart.Batch.PartsOf(0).ToArray()).IsDeleted);
        ofPart.Commit();
        await handle.WhenSafeAsync(Cancel);

        handle.MarkDeleted();
        var ofAll = await _store.NextWriteAsync();
        Assert.Equal(KeyWriteKind.Delete, ofAll.Batch[0].Kind);
        ofAll.Commit();
        await handle.WhenSafeAsync(Cancel);
    }

    [Fact(Timeout = Patience)]
    public async Task What_a_proxy_throws_at_a_read_is_the_answer()
    {
        await using var fixture = await Fixture.OpenAsync(_store);
        _store.ReadError = new StoreException(StoreErrorKind.Refused, "no");

        var failure = await Assert.ThrowsAsync<FillFailedException>(() => fixture.FillAsync("a"));

        Assert.Same(_store.ReadError, failure.InnerException);
    }

    [Fact(Timeout = Patience)]
    public async Task The_oldest_change_grows_older_with_the_time()
    {
        var time = new FakeTimeProvider();
        await using var fixture = await Fixture.OpenAsync(_store, null, time);
        var handle = await OpenAsync(fixture, "a");
        Assert.Equal(TimeSpan.Zero, fixture.Client.GetStatistics().OldestUndurableAge);
        time.Advance(TimeSpan.FromSeconds(2));
        var change = fixture.ChangeAsync(handle, "text");
        var write = await _store.NextWriteAsync();
        time.Advance(TimeSpan.FromSeconds(3));

        Assert.Equal(TimeSpan.FromSeconds(3), fixture.Client.GetStatistics().OldestUndurableAge);
        write.Commit();
        await change;
    }

    [Fact(Timeout = Patience)]
    public async Task Nothing_that_a_client_has_begun_goes_on_after_its_disposal()
    {
        var time = new TimerCount();
        using var meter = new Listening();
        var limit = default(CancellationToken);
        var fixture = await Fixture.OpenAsync(_store, Options(options => options.Diagnostics.MeterFactory = meter), time);
        fixture.Application.OnSerialize = (batch, token) =>
        {
            limit = token;
            fixture.Application.SerializeAll(batch);
            return ValueTask.CompletedTask;
        };
        var change = fixture.ChangeAsync(await OpenAsync(fixture, "a"), "text");
        var write = await _store.NextWriteAsync();
        Assert.Single(meter.Observe(Instruments.KeysOpen));
        Assert.False(write.CancellationToken.IsCancellationRequested);

        await fixture.Client.StopAsync(new CancellationToken(canceled: true));
        await fixture.DisposeAsync();

        await Assert.ThrowsAsync<OutcomeUnknownException>(() => change);
        Assert.Empty(meter.Observe(Instruments.KeysOpen));
        Assert.Equal(0, time.Running);
        Assert.True(write.CancellationToken.IsCancellationRequested);
        Assert.Throws<ObjectDisposedException>(() => write.CancellationToken.WaitHandle);
        Assert.Throws<ObjectDisposedException>(() => limit.WaitHandle);
        write.Commit();
    }

    [Fact(Timeout = Patience)]
    public async Task Time_limits_of_callbacks_are_used_again()
    {
        var limits = new HashSet<CancellationToken>();
        var fixture = await Fixture.OpenAsync(new InMemoryStore());
        fixture.Application.OnSerialize = (batch, token) =>
        {
            limits.Add(token);
            fixture.Application.SerializeAll(batch);
            return ValueTask.CompletedTask;
        };
        var handle = await OpenAsync(fixture, "a");
        for (var i = 0; i < 3; i++)
            await fixture.ChangeAsync(handle, $"{i}");
        var limit = Assert.Single(limits);

        await fixture.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => limit.WaitHandle);
    }

    [Fact(Timeout = Patience)]
    public async Task Who_calls_just_before_the_end_is_told_so()
    {
        var law = new RecordingLaw();
        var fixture = await Fixture.OpenAsync(_store, new StoutOptions { Pacing = () => law });
        var (sent, open) = (await OpenAsync(fixture, "sent"), await OpenAsync(fixture, "open"));
        Task? change = null, fill = null;
        law.OnAnswer = () =>
        {
            change = fixture.ChangeAsync(open, "late");
            fill = fixture.FillAsync("late");
            throw new FormatException();
        };
        var first = fixture.ChangeAsync(sent, "text");
        (await _store.NextWriteAsync()).Commit();

        await first;
        await Assert.ThrowsAsync<FormatException>(() => fixture.DisposeAsync().AsTask());
        Assert.Equal(NotAppliedReason.Stopped, (await Assert.ThrowsAsync<NotAppliedException>(() => change!)).Reason);
        await Assert.ThrowsAsync<StoppedException>(() => fill!);
    }

    [Fact(Timeout = Patience)]
    public async Task A_request_has_a_span_that_names_its_callers()
    {
        using var spans = new SpanListening("shell");
        using var source = new ActivitySource("test");
        await using var fixture = await Fixture.OpenAsync(_store, Options(options => options.Diagnostics.ClientName = "shell"));
        var handle = await OpenAsync(fixture, "a");
        using (var caller = source.StartActivity("caller"))
        {
            var change = fixture.ChangeAsync(handle, "text");
            // The client notes the caller's span after the change, so the first request may leave before that. The test refuses that request, and checks
            // the next one.
            var write = await _store.NextWriteAsync();
            write.Fail(new StoreException(StoreErrorKind.Overloaded, "busy"));
            (await _store.NextWriteAsync()).Commit();
            await change;

            lock (spans.Spans)
                Assert.Equal(caller!.Context, Assert.Single(spans.Spans[^1].Links).Context);
        }
    }

    [Fact(Timeout = Patience)]
    public async Task What_a_message_callback_throws_is_counted()
    {
        using var meter = new Listening();
        var reported = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore(), Options(options =>
        {
            options.Diagnostics.MeterFactory = meter;
            options.CallbackFailed = error => reported.TrySetResult(error);
        }));
        (await OpenAsync(fixture, "a")).SendMessageWhenSafe(0, static (_, _) => throw new FormatException());

        Assert.IsType<FormatException>(await reported.Task);
        Assert.Single(meter.Values(Instruments.CallbackErrors));
    }

    public ValueTask DisposeAsync() => _store.DisposeAsync();

    private static StoutOptions Options(Action<StoutOptions> set)
    {
        var options = new StoutOptions { Pacing = PacingLaws.NoBatching() };
        set(options);
        return options;
    }

    private static Task<KeyHandle> OpenAsync(Fixture fixture, string key) => fixture.Client.OpenAsAbsentAsync(new PartitionKey(key)).AsTask();
}
