using FsCheck;
using FsCheck.Fluent;
using Stout.Lanes.Core;
using Stout.Paper;
using Stout.Tests.Lanes.Core;

namespace Stout.Tests.Lanes;

/// <summary>The lane's small structures against naive models, for any sequence of calls.</summary>
public sealed class ModelTests
{
    private static readonly Config Many = Config.QuickThrowOnFailure.WithMaxTest(300);

    [Fact]
    public void A_message_queue_is_a_list_that_can_be_joined() => Check((int[] calls) =>
    {
        var (queues, models) = (new MessageQueue[2], new List<Message>[] { [], [] });
        foreach (var call in calls)
        {
            var which = call & 1;
            switch ((call >> 1) & 3)
            {
                case 0:
                    queues[which].Append(ref queues[1 - which]);
                    models[which].AddRange(models[1 - which]);
                    models[1 - which].Clear();
                    break;
                case 1:
                    Assert.Equal(models[which], Chain(queues[which].TakeAll()));
                    models[which].Clear();
                    break;
                default:
                    var message = new TestMessage();
                    queues[which].Enqueue(message);
                    models[which].Add(message);
                    break;
            }

            Assert.Equal(models[which].Count == 0, queues[which].IsEmpty);
        }

        Assert.Equal(models[0], Chain(queues[0].TakeAll()));
        Assert.Equal(models[1], Chain(queues[1].TakeAll()));
    });

    [Fact]
    public void A_work_queue_is_a_list() => Check((int[] calls) =>
    {
        var queue = new WorkQueue();
        var model = new LinkedList<PendingWork>();
        foreach (var call in calls)
        {
            var work = new PendingWork();
            switch (call & 3)
            {
                case 0 when model.Count > 0:
                    var gone = model.ElementAt((call >> 2 & 0xffff) % model.Count);
                    queue.Remove(gone);
                    model.Remove(gone);
                    Assert.Null(gone.Queue);
                    break;
                case 1 when model.Count > 0:
                    var next = model.Find(model.ElementAt((call >> 2 & 0xffff) % model.Count))!;
                    queue.AddBefore(next.Value, work);
                    model.AddBefore(next, work);
                    break;
                case 2:
                    queue.AddBefore(null, work);
                    model.AddLast(work);
                    break;
                default:
                    queue.AddLast(work);
                    model.AddLast(work);
                    break;
            }

            Assert.Equal(model.Count, queue.Count);
            var listed = new List<PendingWork>();
            for (var item = queue.First; item is not null; item = item.Next)
                listed.Add(item);
            Assert.Equal(model, listed);
        }
    });

    [Fact]
    public void A_part_set_says_of_each_part_what_was_marked_last() => Check((int[] calls) =>
    {
        var set = new PartSet();
        var model = new Dictionary<SubKey, PushedPart>();
        var all = false;
        foreach (var call in calls)
        {
            // Few parts, so that many calls name the same part. Long sequences name over 64: a set does not reuse the memory of so many.
            var part = new SubKey((call >> 3 & 7) == 0 ? "" : $"{(call >> 3) & 0x7f}");
            switch (call & 7)
            {
                case 0:
                    set.MarkAllDeleted();
                    (all, model) = (true, []);
                    break;
                case 1:
                    set.Clear();
                    (all, model) = (false, []);
                    break;
                default:
                    var mark = MarkOf(call);
                    Assert.Same(model.GetValueOrDefault(part), set.Set(part, mark));
                    model[part] = mark;
                    break;
            }

            Assert.Equal((model.Count, all, !all && model.Count == 0), (set.Count, set.ReplacesAll, set.IsEmpty));
        }

        Assert.Equal(PartsOf(model, MarkedPart.Dirty), Parts(set, MarkedPart.Dirty));
        Assert.Equal(PartsOf(model, MarkedPart.Deleted), Parts(set, MarkedPart.Deleted));
    });

    [Fact]
    public void Taking_back_and_adding_gives_what_one_set_with_all_marks_would_be() => Check((int[] first, int[] later) =>
    {
        var (carried, dirty, expected) = (new PartSet(), new PartSet(), new PartSet());
        foreach (var call in first)
            Mark(call, ref carried, ref expected);
        foreach (var part in Parts(carried, MarkedPart.Dirty))
            carried.Set(part, new SerializedPart());
        foreach (var call in later)
            Mark(call, ref dirty, ref expected);
        carried.Requeue();
        carried.Add(dirty);

        Assert.Equal(expected.ReplacesAll, carried.ReplacesAll);
        Assert.Equal(Parts(expected, MarkedPart.Dirty), Parts(carried, MarkedPart.Dirty));
        Assert.Equal(Parts(expected, MarkedPart.Deleted), Parts(carried, MarkedPart.Deleted));
    });

    [Fact]
    public void The_oldest_undurable_change_is_the_first_that_has_not_ended() => Check((int[] calls) =>
    {
        var ages = new UndurableAges();
        var undurable = new List<(TimeSpan At, Moment Moment)>();
        var now = TimeSpan.Zero;
        foreach (var call in calls)
        {
            var choice = (call >> 1) & 0xffff;
            if ((call & 1) != 0 && undurable.Count > 0)
            {
                var ended = undurable[choice % undurable.Count];
                undurable.Remove(ended);
                ages.End(ended.Moment);
            }
            else
            {
                now += TimeSpan.FromTicks(choice % 3);
                undurable.Add((now, ages.Begin(now)));
            }

            Assert.Equal(undurable.Count == 0 ? null : undurable.Min(change => change.At), ages.Oldest);
        }
    });

    [Fact]
    public void Retry_delays_double_and_keep_their_bounds() => Check((PositiveInt attempt, PositiveInt least, PositiveInt times, PositiveInt asked) =>
    {
        var (from, to) = (TimeSpan.FromMilliseconds(least.Get), TimeSpan.FromMilliseconds((double)least.Get * times.Get));
        var unscattered = Math.Min(from.TotalMilliseconds * Math.Pow(2, attempt.Get - 1), to.TotalMilliseconds);
        var retryAfter = TimeSpan.FromMilliseconds(asked.Get);
        var delay = new RetryDelay(from, to, new Random(attempt.Get)).After(attempt.Get);

        Assert.InRange(delay.TotalMilliseconds, (unscattered * 0.8) - 0.001, unscattered + 0.001);
        Assert.True(new RetryDelay(from, to, new Random(0)).After(attempt.Get, retryAfter) >= retryAfter);
    });

    [Fact]
    public void The_longest_options_overflow_no_retry_delay() =>
        Assert.Equal(
            TimeSpan.FromHours(1).TotalSeconds,
            new RetryDelay(TimeSpan.FromHours(1), TimeSpan.FromHours(1), new Random(0)).After(int.MaxValue).TotalSeconds,
            tolerance: 720);

    [Fact]
    public void A_deadline_queue_gives_each_item_that_has_not_ended_once_it_is_due() => Check((int[] calls) =>
    {
        var ended = new HashSet<int>();
        var queue = new DeadlineQueue<int>(TimeSpan.FromTicks(50), (item, run) => ended.Contains(item) || run != item);
        var model = new List<(int Item, long Due)>();
        var now = 0L;
        for (var i = 0; i < calls.Length; i++)
        {
            now += calls[i] & 15;
            if ((calls[i] & 16) == 0)
            {
                queue.Add(i, i, TimeSpan.FromTicks(now));
                model.Add((i, now + 50));
            }
            else if (model.Count > 0)
            {
                var gone = model[(calls[i] >> 5 & 0xffff) % model.Count].Item;
                ended.Add(gone);
                model.RemoveAll(entry => entry.Item == gone);
            }

            Assert.Equal(model.Count == 0 ? null : model[0].Due, queue.Next?.Ticks);
            while (queue.TryTakeDue(TimeSpan.FromTicks(now), out var due))
            {
                Assert.Equal(model[0].Item, due);
                Assert.True(model[0].Due <= now);
                model.RemoveAt(0);
            }

            Assert.DoesNotContain(model, entry => entry.Due <= now);
        }
    });

    [Fact]
    public void A_deadline_queue_holds_little_more_than_what_has_not_ended()
    {
        var queue = new DeadlineQueue<int>(TimeSpan.FromSeconds(30), (item, _) => item != 0);
        queue.Add(0, 0, TimeSpan.Zero);
        for (var i = 1; i < 100_000; i++)
        {
            queue.Add(i, 0, TimeSpan.FromTicks(i));
            Assert.InRange(queue.Count, 1, 256);
        }

        Assert.Equal(TimeSpan.FromSeconds(30), queue.Next);
    }

    private static void Mark(int call, ref PartSet one, ref PartSet other)
    {
        Mark(call, ref one);
        Mark(call, ref other);
    }

    private static void Mark(int call, ref PartSet set)
    {
        if ((call & 7) == 0)
            set.MarkAllDeleted();
        else
            set.Set(new SubKey((call >> 3 & 3) == 0 ? "" : $"{call >> 3 & 3}"), MarkOf(call));
    }

    private static MarkedPart MarkOf(int call) => (call & 1) == 0 ? MarkedPart.Dirty : MarkedPart.Deleted;

    private static List<SubKey> Parts(PartSet set, MarkedPart mark)
    {
        var parts = new List<SubKey>();
        set.CopyTo(parts, mark);
        parts.Sort();
        return parts;
    }

    private static List<SubKey> PartsOf(Dictionary<SubKey, PushedPart> model, MarkedPart mark) =>
        [.. model.Where(entry => ReferenceEquals(entry.Value, mark)).Select(entry => entry.Key).Order()];

    private static IEnumerable<Message> Chain(Message? first)
    {
        for (var message = first; message is not null; message = message.Next)
            yield return message;
    }

    // FsCheck's own integers stay small at first; here all bits are wanted.
    private static readonly Arbitrary<int[]> Calls = Gen.Choose(0, int.MaxValue - 1)
        .SelectMany(seed => Gen.Choose(0, 300).Select(length => RandomCalls(new Random(seed), length)))
        .ToArbitrary();

    private static int[] RandomCalls(Random random, int length) => [.. Enumerable.Range(0, length).Select(_ => random.Next())];

    private static void Check(Action<int[]> property) => Prop.ForAll(Calls, property).Check(Many);

    private static void Check(Action<int[], int[]> property) => Prop.ForAll(Calls, Calls, property).Check(Many);

    private static void Check(Action<PositiveInt, PositiveInt, PositiveInt, PositiveInt> property) => Prop.ForAll(
        ArbMap.Default.GeneratorFor<(PositiveInt, PositiveInt, PositiveInt, PositiveInt)>().ToArbitrary(),
        all => property(all.Item1, all.Item2, all.Item3, all.Item4)).Check(Many);
}
