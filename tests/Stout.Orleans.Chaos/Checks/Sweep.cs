using Stout.Orleans.Chaos.Load;

namespace Stout.Orleans.Chaos.Checks;

/// <summary>Goes through answers in the order of time.</summary>
internal static class Sweep
{
    /// <summary>
    /// For each answer of <paramref name="some"/>, the largest length in any answer of <paramref name="all"/> that came before its request was sent; 0 if
    /// there is no such answer.
    /// </summary>
    public static IEnumerable<(Observation Observation, int Before)> LargestBefore(IReadOnlyCollection<Observation> all, IEnumerable<Observation> some)
    {
        var returned = new Queue<Observation>(all.OrderBy(one => one.Returned));
        var largest = 0;
        foreach (var one in some.OrderBy(one => one.Invoked))
        {
            while (returned.TryPeek(out var earlier) && earlier.Returned < one.Invoked)
                largest = Math.Max(largest, returned.Dequeue().Length);
            yield return (one, largest);
        }
    }
}
