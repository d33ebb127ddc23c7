namespace Stout.Lanes.Core;

/// <summary>
/// A doubly linked list of keys. The links are fields of the keys' <see cref="PendingWork"/>. Every operation is O(1). A key is in at most one queue of
/// keys to send and one queue of time limits.
/// </summary>
internal sealed class WorkQueue(bool ofTimeLimits = false)
{
    public PendingWork? First { get; private set; }

    public int Count { get; private set; }

    private PendingWork? Last { get; set; }

    public void AddLast(PendingWork work)
    {
        LinkOf(work) = new WorkLink { Queue = this, Previous = Last };
        if (Last is null)
            First = work;
        else
            LinkOf(Last).Next = work;
        Last = work;
        Count++;
    }

    /// <summary>Inserts a key before another one of this queue; null appends.</summary>
    public void AddBefore(PendingWork? next, PendingWork work)
    {
        if (next is null)
        {
            AddLast(work);
            return;
        }

        ref var link = ref LinkOf(next);
        LinkOf(work) = new WorkLink { Queue = this, Previous = link.Previous, Next = next };
        if (link.Previous is null)
            First = work;
        else
            LinkOf(link.Previous).Next = work;
        link.Previous = work;
        Count++;
    }

    public void Remove(PendingWork work)
    {
        ref var link = ref LinkOf(work);
        if (link.Previous is null)
            First = link.Next;
        else
            LinkOf(link.Previous).Next = link.Next;
        if (link.Next is null)
            Last = link.Previous;
        else
            LinkOf(link.Next).Previous = link.Previous;
        link = default;
        Count--;
    }

    private ref WorkLink LinkOf(PendingWork work) => ref ofTimeLimits ? ref work.TimeLimit : ref work.Place;
}

/// <summary>The links of a key in a queue.</summary>
internal struct WorkLink
{
    public WorkQueue? Queue;
    public PendingWork? Previous;
    public PendingWork? Next;
}
