namespace Stout.Documents;

/// <summary>
/// Parts in the ordinal order of their names. It is a sorted list rather than a tree: objects have few parts, are mostly read, and should be small in
/// memory.
/// </summary>
internal sealed class PartTable
{
    /// <summary>No parts.</summary>
    public static readonly PartTable Empty = new();

    private readonly List<Part> _parts = [];
    private PartNames? _names;

    public int Count => _parts.Count;

    public Part this[int index] => _parts[index];

    /// <summary>A snapshot of the names in order.</summary>
    public PartNames Names
    {
        get
        {
            if (_names is not null)
                return _names;
            var names = new string[_parts.Count];
            for (var i = 0; i < names.Length; i++)
                names[i] = _parts[i].Name.Text;
            return _names = new PartNames(names);
        }
    }

    public Part? Find(string name)
    {
        var index = IndexOf(name);
        return index < 0 ? null : _parts[index];
    }

    /// <summary>Adds a part, or replaces the part with the same name.</summary>
    public void Put(Part part)
    {
        var index = IndexOf(part.Name.Text);
        if (index >= 0)
        {
            _parts[index] = part;
            return;
        }

        _parts.Insert(~index, part);
        _names = null;
    }

    public bool Remove(string name)
    {
        var index = IndexOf(name);
        if (index < 0)
            return false;
        _parts.RemoveAt(index);
        _names = null;
        return true;
    }

    /// <summary>Fills an empty table with parts in any order.</summary>
    public void Load(IEnumerable<Part> parts)
    {
        _parts.AddRange(parts);
        _parts.Sort(static (left, right) => left.Name.CompareTo(right.Name));
        _names = null;
    }

    public void Clear()
    {
        _parts.Clear();
        _names = null;
    }

    /// <summary>The index of a name; for an absent name, the complement of the index at which it would be inserted.</summary>
    private int IndexOf(string name)
    {
        var (low, high) = (0, _parts.Count - 1);
        while (low <= high)
        {
            var middle = (low + high) >>> 1;
            var order = string.CompareOrdinal(_parts[middle].Name.Text, name);
            if (order == 0)
                return middle;
            if (order < 0)
                low = middle + 1;
            else
                high = middle - 1;
        }

        return ~low;
    }
}
