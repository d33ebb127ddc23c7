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

    /// <summary>Adds before another one of this queue; null for the end.</summary>
    public void AddBefore(PendingWork? next, PendingWork work)
    {
        if (next is null)
        {
            AddLast(work);
            return;
        }

        work.Queue = this;
        work.Previous = next.Previous;
        work.Next = next;
        if (next.Previous is null)
            First = work;
        else
            next.Previous.Next = work;
        next.Previous = work;
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
