namespace Stout.Experiments.Model;

/// <summary>
/// Model time and what is to happen in it; events of one moment happen in the order in which they were scheduled. A heap of four
/// children per node, since most of a run's time goes by here.
/// </summary>
internal sealed class EventQueue
{
    private const int Children = 4;
    private const int EventsBetweenLooksAtTheToken = 4096;

    private Entry[] _heap = new Entry[1024];
    private int _count;
    private long _scheduled;

    public TimeSpan Now { get; private set; }

    /// <summary>Events that have happened.</summary>
    public long Happened { get; private set; }

    /// <summary>Schedules an event; one of the past happens now.</summary>
    public void Schedule(TimeSpan at, IModelEvent happening)
    {
        if (_count == _heap.Length)
            Array.Resize(ref _heap, 2 * _count);
        var entry = new Entry(Math.Max(at.Ticks, Now.Ticks), _scheduled++, happening);
        var hole = _count++;
        while (hole > 0)
        {
            var parent = (hole - 1) / Children;
            if (!entry.IsBefore(_heap[parent]))
                break;
            _heap[hole] = _heap[parent];
            hole = parent;
        }

        _heap[hole] = entry;
    }

    /// <summary>Lets time pass until <paramref name="end"/>, with all that happens until then.</summary>
    public void RunUntil(TimeSpan end, CancellationToken cancellationToken = default)
    {
        while (_count > 0 && _heap[0].At <= end.Ticks)
        {
            if (++Happened % EventsBetweenLooksAtTheToken == 0)
                cancellationToken.ThrowIfCancellationRequested();
            var first = TakeFirst();
            Now = new TimeSpan(first.At);
            first.Happening.Happen(Now);
        }

        Now = end;
    }

    private Entry TakeFirst()
    {
        var heap = _heap;
        var first = heap[0];
        var last = heap[--_count];
        heap[_count] = default;
        if (_count == 0)
            return first;
        var hole = 0;
        while (true)
        {
            var child = (hole * Children) + 1;
            if (child >= _count)
                break;
            var end = Math.Min(child + Children, _count);
            var least = child;
            while (++child < end)
            {
                if (heap[child].IsBefore(heap[least]))
                    least = child;
            }

            if (!heap[least].IsBefore(last))
                break;
            heap[hole] = heap[least];
            hole = least;
        }

        heap[hole] = last;
        return first;
    }

    private readonly record struct Entry(long At, long Order, IModelEvent Happening)
    {
        public bool IsBefore(in Entry other) => At < other.At || (At == other.At && Order < other.Order);
    }
}
