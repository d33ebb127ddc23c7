using System.Diagnostics;
using Microsoft.Extensions.Time.Testing;
using Stout.Diagnostics;
using Stout.Documents;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Pacing;
using Stout.Storage;
using Stout.Testing;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.Hosting.Tests.Diagnostics;

/// <summary>
/// Batch spans, and their cost without a listener. These tests are in one class, so that they run one at a time, since a listener hears the whole process.
/// </summary>
public sealed class SpanTests
{
    private static readonly ActivitySource Source = new("test");

    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Batch_that_collapses_changes_links_to_each_caller_once_and_to_a_bounded_number()
    {
        using var listening = new SpanListening("links");
        var store = new ControlledStore();
        await using var client = await OpenAsync("links", store);
        var key = await client.FillAsync(new PartitionKey("a"), cancellationToken: Test);
        var hold = store.HoldWrites();
        key.MarkDirty();
        await hold.Arrived;

        // Each caller marks, and every second one also sends a message. A caller is linked once, with or without a message.
        var callers = new List<ActivityContext>();
        for (var i = 0; i < MaxLinks + 8; i++)
        {
            using var call = Source.StartActivity("call");
            callers.Add(call!.Context);
            key.MarkDirty();
            if (i % 2 == 0)
                key.SendMessageWhenSafe(0, static (_, _) => { });
        }

        var safe = key.WhenSafeAsync(Test);
        hold.Release();
        await safe;
        Assert.Equal(2, listening.Spans.Count);
        Assert.Empty(listening.Spans[0].Links);
        Assert.Equal(callers.Take(MaxLinks), listening.Spans[1].Links.Select(link => link.Context));
        Assert.All(listening.Spans, span => Assert.Null(span.ParentId));
    }

    [Fact]
    public async Task Deletions_link_to_their_callers()
    {
        using var listening = new SpanListening("deletions");
        await using var client = await OpenAsync("deletions", new ControlledStore());
        var key = await client.FillAsync(new PartitionKey("a"), cancellationToken: Test);
        key.MarkDirty();
        await key.WhenSafeAsync(Test);
        var callers = new List<ActivityContext>();
        foreach (var delete in (Action[])[() => key.MarkDeleted(new SubKey("part")), key.MarkDeleted])
        {
            using (var call = Source.StartActivity("call"))
            {
                callers.Add(call!.Context);
                delete();
            }

            await key.WhenSafeAsync(Test);
        }

        Assert.Equal(callers, listening.Spans.Skip(1).Select(span => Assert.Single(span.Links).Context));
    }

    [Fact]
    public async Task Change_that_was_refused_for_now_links_to_its_caller_from_the_next_batch_too()
    {
        using var listening = new SpanListening("again");
        var refused = false;
        var store = new ControlledStore();
        store.Answer = _ =>
        {
            var first = !refused;
            refused = true;
            return first ? new WriteOutcome(WriteOutcomeKind.Overloaded) : null;
        };
        await using var client = await OpenAsync("again", store);
        var key = await client.FillAsync(new PartitionKey("a"), cancellationToken: Test);
        ActivityContext caller;
        using (var call = Source.StartActivity("call"))
        {
            caller = call!.Context;
            key.MarkDirty();
        }

        await key.WhenSafeAsync(Test);
        Assert.Equal(["overloaded", "answered"], listening.Spans.Select(span => span.GetTagItem(Tags.Outcome)));
        Assert.Equal([ActivityStatusCode.Error, ActivityStatusCode.Unset], listening.Spans.Select(span => span.Status));
        Assert.All(listening.Spans, span => Assert.Equal([caller], span.Links.Select(link => link.Context)));
    }

    [Fact]
    public void Change_and_its_caller_reach_the_lane_together()
    {
        using var listening = new SpanListening("together");
        using var call = Source.StartActivity("call");
        var intake = new CountingIntake();
        var handle = new KeyHandle(intake, new PartitionKey("a"));
        handle.Open();
        handle.MarkDirty();
        handle.SendMessageWhenSafe(0, static (_, _) => { });

        Assert.Equal(2, intake.Posts);
        Assert.Equal(call!.Context, intake.LastCaller);
    }

    [Fact]
    public async Task Request_that_is_given_up_ends_its_span_as_unknown_and_its_repetition_says_so()
    {
        using var listening = new SpanListening("late");
        var (store, time) = (new ControlledStore(), new FakeTimeProvider());
        await using var client = await OpenAsync("late", store, time, options =>
            (options.RequestTimeout, options.ResolveUnknownFor) = (TimeSpan.FromHours(1), TimeSpan.FromDays(1)));
        var key = await client.FillAsync(new PartitionKey("a"), cancellationToken: Test);
        var first = store.HoldWrites();
        key.MarkDirty();
        var safe = key.WhenSafeAsync(Test);
        await first.Arrived;
        var second = store.HoldWrites();
        time.Advance(TimeSpan.FromHours(1));

        // The test can't see when the lane begins its wait before the repetition. So time goes on until the repetition arrives, in steps so small that no
        // request's time limit of 1 h ends meanwhile.
        while (!second.Arrived.IsCompleted)
        {
            await Task.Yield();
            time.Advance(TimeSpan.FromMilliseconds(1));
        }

        Assert.Equal("unknown", Assert.Single(listening.Spans).GetTagItem(Tags.Outcome));
        first.Release();
        second.Release();
        await safe;
        Assert.Equal(2, listening.Spans[^1].GetTagItem(Tags.Attempt));
    }

    [Fact]
    public void Nothing_is_allocated_while_nobody_listens()
    {
        Assert.False(BatchSpan.IsListenedTo);
        var intake = new CountingIntake();
        var handle = new KeyHandle(intake, new PartitionKey("a"));
        handle.Open();
        var telemetry = new ClientTelemetry(new StoutDiagnostics { MeterFactory = new QuietFactory() }, TimeProvider.System).ForLane(0);
        var request = new StoreRequest
        {
            Kind = StoreRequestKind.Write,
            Operations = 10,
            Bytes = 100,
            SentAt = TimeSpan.Zero,
            AnsweredAt = TimeSpan.FromSeconds(1),
            Outcome = StoreRequestOutcome.Answered,
            Interval = TimeSpan.Zero,
        };
        var write = new WriteRequest();
        using var current = new Activity("a caller's").Start();
        Act();
        Assert.Equal(0, Allocation.Least(10, Act));
        Assert.Equal(11_000, intake.Posts);

        void Act()
        {
            for (var i = 0; i < 1_000; i++)
                ActOnce();
        }

        void ActOnce()
        {
            handle.MarkDirty();
            telemetry.RequestAnswered(request, null, TimeSpan.Zero, TimeSpan.FromSeconds(1));
            telemetry.CallerHeldBack();
            telemetry.WriteLeaves(write);
            LaneTelemetry.WriteReturns(write);
        }
    }

    private static ValueTask<StoutClient> OpenAsync(string name, IStorageProxy store, TimeProvider? time = null, Action<StoutOptions>? configure = null)
    {
        var options = new StoutOptions { Pacing = PacingLaws.NoBatching(), MinRetryDelay = TimeSpan.FromMilliseconds(1) };
        options.Diagnostics.ClientName = name;
        configure?.Invoke(options);
        return StoutClient.OpenAsync(store, new OneByteEach(), options, time, Test);
    }

    private sealed class CountingIntake : ILaneIntake
    {
        public int Posts { get; private set; }

        public ActivityContext? LastCaller { get; private set; }

        public bool TryPost(in LaneInput input)
        {
            Posts++;
            LastCaller = (input.Subject as CallerSpan)?.Context;
            return true;
        }

        public ValueTask AdmitAsync(bool toChange, CancellationToken cancellationToken) => default;

        public void ReportCallbackError(Exception error)
        {
        }
    }

    private sealed class QuietFactory : System.Diagnostics.Metrics.IMeterFactory
    {
        private readonly System.Diagnostics.Metrics.Meter _meter = new("a meter that nobody knows");

        public System.Diagnostics.Metrics.Meter Create(System.Diagnostics.Metrics.MeterOptions options) => _meter;

        public void Dispose() => _meter.Dispose();
    }
}
