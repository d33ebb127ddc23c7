using Microsoft.Extensions.Time.Testing;
using Stout.Diagnostics;
using Stout.Documents;
using Stout.Pacing;
using Stout.Storage;
using static Stout.Diagnostics.StoutTelemetry;
using Stout.Testing;

namespace Stout.Hosting.Tests.Diagnostics;

public sealed class MetricsTests
{
    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Fact]
    public async Task While_a_write_is_held_gauges_show_what_waits_and_how_long()
    {
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        using var listening = new Listening();
        await using var documents = await OpenAsync(store, listening, time: time);
        var notes = documents.GetCollection<string>("notes");
        var hold = store.HoldWrites();
        var changes = Enumerable.Range(0, 3).Select(i => notes.UpdateAsync("a", _ => $"{i}", Test).AsTask()).ToList();
        await hold.Arrived;
        time.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal([3.0], listening.Observe(Instruments.OldestChangeAge));
        Assert.Equal([1.0], listening.Observe(Instruments.KeysDirty));
        Assert.Equal([1.0], listening.Observe(Instruments.RequestsInFlight));
        hold.Release();
        await Task.WhenAll(changes);
        Assert.Equal([0.0], listening.Observe(Instruments.OldestChangeAge));
        Assert.Equal([0.0], listening.Observe(Instruments.MessagesWaiting));
        Assert.Equal([3.0], listening.Observe(Instruments.Changes));
        Assert.Equal([3.0], listening.Observe(Instruments.MessagesReleased));
        Assert.Equal(listening.Observe(Instruments.KeysWritten).Single(), listening.Values(Instruments.BatchKeys).Sum());
        Assert.Contains(3.0, listening.Values(Instruments.RequestDuration, Tags.Operation, "write"));
    }

    [Fact]
    public async Task Failures_are_counted_by_their_kind()
    {
        var store = new ControlledStore { Answer = key => key.EndsWith("bad", StringComparison.Ordinal) ? new WriteOutcome(WriteOutcomeKind.Conflict) : null };
        using var listening = new Listening();
        await using var documents = await OpenAsync(store, listening);
        var notes = documents.GetCollection<string>("notes");
        await notes.UpdateAsync("good", _ => "text", Test);
        await Assert.ThrowsAsync<ConflictException>(() => notes.UpdateAsync("bad", _ => "text", Test).AsTask());
        await Assert.ThrowsAsync<ConflictException>(() => notes.UpdateAsync("very bad", _ => "text", Test).AsTask());
        Assert.Equal([1.0, 1.0], listening.Values(Instruments.KeysFailed, Tags.ErrorType, "conflict"));
        Assert.Equal(2, listening.Values(Instruments.KeysFailed).Count);
    }

    [Fact]
    public async Task Overloaded_answers_and_decisions_of_the_law_are_counted()
    {
        var refused = false;
        var store = new ControlledStore();
        store.Answer = _ =>
        {
            var first = !refused;
            refused = true;
            return first ? new WriteOutcome(WriteOutcomeKind.Overloaded) : null;
        };
        using var listening = new Listening();
        await using var documents = await OpenAsync(store, listening, options => options.Pacing = () => new DoublingLaw());
        await documents.GetCollection<string>("notes").UpdateAsync("a", _ => "text", Test);
        Assert.Single(listening.Values(Instruments.RequestDuration, Tags.Outcome, "overloaded"));
        Assert.Single(listening.Values(Instruments.RequestDuration, Tags.ErrorType, "overloaded"));
        Assert.Equal([1.0], listening.Values(Instruments.Decisions, Tags.Decision, "back_off"));
        Assert.Equal([0.002], listening.Observe(Instruments.Interval));
    }

    [Fact]
    public async Task A_lane_reports_1_for_its_laws_phase_and_0_for_the_others_and_that_nothing_holds_it_back_while_it_is_idle()
    {
        using var listening = new Listening();
        await using var documents = await OpenAsync(new InMemoryStore(), listening, options => options.Pacing = PacingLaws.Delay());
        await documents.GetCollection<string>("notes").UpdateAsync("a", _ => "text", Test);
        listening.Observe(Instruments.PacingPhase);
        Assert.Equal([1.0], listening.Values(Instruments.PacingPhase, Tags.Phase, "startup"));
        Assert.Equal(Enum.GetValues<PacingPhase>().Select(static phase => phase == PacingPhase.Startup ? 1.0 : 0), listening.Values(Instruments.PacingPhase));
        listening.Observe(Instruments.PacingLimit);
        Assert.Equal([1.0], listening.Values(Instruments.PacingLimit, Tags.Limit, "none"));
        Assert.Equal(Enum.GetValues<PacingLimit>().Select(static limit => limit == PacingLimit.None ? 1.0 : 0), listening.Values(Instruments.PacingLimit));
    }

    [Fact]
    public async Task Callers_at_a_closed_door_are_counted()
    {
        var store = new ControlledStore();
        using var listening = new Listening();
        await using var documents = await OpenAsync(store, listening, options => (options.MaxDirtyKeys, options.OverloadBehavior) = (1, OverloadBehavior.Fail));
        var notes = documents.GetCollection<string>("notes");
        var hold = store.HoldWrites();
        var change = notes.UpdateAsync("a", _ => "text", Test).AsTask();
        await hold.Arrived;
        await Assert.ThrowsAsync<OverloadException>(() => notes.UpdateAsync("b", _ => "text", Test).AsTask());
        Assert.Single(listening.Values(Instruments.CallersHeldBack));
        hold.Release();
        await change;
    }

    [Fact]
    public async Task Disposed_client_is_shown_no_longer()
    {
        using var listening = new Listening();
        var documents = await OpenAsync(new ControlledStore(), listening);
        Assert.Single(listening.Observe(Instruments.Changes));
        await documents.DisposeAsync();
        Assert.Empty(listening.Observe(Instruments.Changes));
    }

    [Fact]
    public async Task Listener_that_throws_stops_nothing()
    {
        using var listening = new Listening();
        using var broken = new System.Diagnostics.Metrics.MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter == listening.Create(null!))
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        broken.SetMeasurementEventCallback<long>((_, _, _, _) => throw new InvalidOperationException("broken"));
        broken.SetMeasurementEventCallback<double>((_, _, _, _) => throw new InvalidOperationException("broken"));
        broken.Start();
        await using var documents = await OpenAsync(new ControlledStore(), listening);
        for (var i = 0; i < 3; i++)
            await documents.GetCollection<string>("notes").UpdateAsync("a", _ => $"{i}", Test);
        Assert.Equal(3, documents.GetStatistics().KeysWritten);
    }

    private static ValueTask<DocumentStore> OpenAsync(
        IStorageProxy store, Listening listening, Action<StoutOptions>? configure = null, TimeProvider? time = null)
    {
        var options = new StoutOptions { Pacing = PacingLaws.NoBatching(), MinRetryDelay = TimeSpan.FromMilliseconds(1) };
        options.Diagnostics.MeterFactory = listening;
        configure?.Invoke(options);
        return DocumentStore.OpenAsync(store, new DocumentStoreOptions { Stout = options }, time, Test);
    }

    /// <summary>Doubles the interval after each overloaded answer.</summary>
    private sealed class DoublingLaw : IPacingLaw
    {
        public TimeSpan Interval { get; private set; } = TimeSpan.FromMilliseconds(1);

        public int MaxInFlight => 1;

        public int MaxBatchKeys => 100;

        public void BatchSent(in BatchDeparture departure)
        {
        }

        public void RequestAnswered(in StoreRequest request)
        {
            if (request.Outcome == StoreRequestOutcome.Overloaded)
                Interval *= 2;
        }
    }
}
