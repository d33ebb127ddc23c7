using System.Collections;

namespace Stout.Documents;

/// <summary>Names of parts in ordinal order, or a range of them. Immutable, so a reading function may return it.</summary>
internal sealed class PartNames(string[] names, int start, int count) : IReadOnlyList<string>
{
    public PartNames(string[] names)
        : this(names, 0, names.Length)
    {
    }

    public int Count => count;

    public string this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)count, nameof(index));
            return names[start + index];
        }
    }

    /// <summary>The names with a prefix, which are consecutive in ordinal order.</summary>
    public PartNames WithPrefix(string prefix)
    {
        var first = FirstWhere(start, static (name, prefix) => string.CompareOrdinal(name, prefix) >= 0, prefix);
        var end = FirstWhere(first, static (name, prefix) => !name.StartsWith(prefix, StringComparison.Ordinal), prefix);
        return new PartNames(names, first, end - first);
    }

    public IEnumerator<string> GetEnumerator()
    {
        for (var i = 0; i < count; i++)
            yield return names[start + i];
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>The first index at which a condition holds. The condition must hold for all later names too.</summary>
    private int FirstWhere(int low, Func<string, string, bool> holds, string prefix)
    {
        var high = start + count;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (holds(names[middle], prefix))
                high = middle;
            else
                low = middle + 1;
        }

        return low;
    }
}
