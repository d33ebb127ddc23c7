namespace Stout.Argon.Caching;

/// <summary>Counts of marked places, with sums of prefixes in logarithmic time.</summary>
internal sealed class Fenwick(int size)
{
    private readonly int[] _tree = new int[size + 1];

    public void Clear() => Array.Clear(_tree);

    public void Add(int place, int value)
    {
        for (var i = place + 1; i <= size; i += i & -i)
            _tree[i] += value;
    }

    /// <summary>The sum over the places up to and including <paramref name="place"/>.</summary>
    public int Sum(int place)
    {
        var sum = 0;
        for (var i = place + 1; i > 0; i -= i & -i)
            sum += _tree[i];
        return sum;
    }
}
