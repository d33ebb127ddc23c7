using System.Numerics;

namespace Stout.Argon.Caching;

/// <summary>A Fenwick tree: values at positions, with prefix sums in logarithmic time.</summary>
internal sealed class Fenwick<T>(int size)
    where T : INumber<T>
{
    private readonly T[] _tree = new T[size + 1];

    public int Size { get; } = size;

    public void Clear() => Array.Clear(_tree);

    public void Add(int place, T value)
    {
        for (var i = place + 1; i <= Size; i += i & -i)
            _tree[i] += value;
    }

    /// <summary>The sum of the positions up to and including <paramref name="place"/>.</summary>
    public T Sum(int place)
    {
        var sum = T.Zero;
        for (var i = place + 1; i > 0; i -= i & -i)
            sum += _tree[i];
        return sum;
    }

    /// <summary>Multiplies every value.</summary>
    public void Scale(T factor)
    {
        foreach (ref var sum in _tree.AsSpan())
            sum *= factor;
    }
}
