namespace Stout.Pacing;

/// <summary>
/// How much later than its interval a lane sends because its last request had to wait in the store: half of what that waited. It would have been served no
/// later had it left so much later, and would have carried more; nor do those behind it wait longer. So lanes that meet in the store's queue come
/// apart until each finds the store free. With intervals alone they keep the phases that they have by chance, in which some always meet.
/// </summary>
internal struct Yield
{
    // All of it would put lanes out of step by what their requests' own times vary.
    private const double Share = 0.5;

    // One late answer is no place in a queue.
    private const double MostOfInterval = 0.25;

    /// <summary>By how much the next batch is to leave later, in milliseconds.</summary>
    public double Next { get; private set; }

    /// <summary>By how much the last one was to.</summary>
    public double Last { get; private set; }

    /// <summary>A request was answered before the next is to leave.</summary>
    /// <param name="wait">What it took, less what the store works on it at least, in milliseconds.</param>
    /// <param name="interval">The lane's interval, in milliseconds.</param>
    public void Waited(double wait, double interval) => Next = Share * Math.Clamp(wait, 0, MostOfInterval * interval);

    /// <summary>A batch leaves.</summary>
    public void Depart() => (Last, Next) = (Next, 0);
}
