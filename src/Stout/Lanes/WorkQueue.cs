namespace Stout.Lanes;

/// <summary>Keys in order: a doubly linked list through the keys' own fields. Every operation is O(1).</summary>
internal sealed class WorkQueue
{
    public PendingWork? First { get; private set; }

    public int Count { get; private set; }

    private PendingWork? Last { get; set; }

    public void AddLast(PendingWork work)
    {
        work.Queue = this;
        work.Previous = Last;
        work.Next = null;
        if (Last is null)
            First = work;
        else
            Last.Next = work;
        Last = work;
        Count++;
    }

    public void AddFirst(PendingWork work)
    {
        work.Queue = this;
        work.Previous = null;
        work.Next = First;
        if (First is null)
            Last = work;
        else
            First.Previous = work;
        First = work;
        Count++;
    }

    public void Remove(PendingWork work)
    {
        if (work.Previous is null)
            First = work.Next;
        else
            work.Previous.Next = work.Next;
        if (work.Next is null)
            Last = work.Previous;
        else
            work.Next.Previous = work.Previous;
        work.Queue = null;
        work.Previous = work.Next = null;
        Count--;
    }
}
