using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>
/// A key whose values did not all fit into one answer. The other values are read in pages. A page counts only if the header still has the stamp of the first
/// answer.
/// </summary>
internal sealed class LargeKey(int index, KeyRead read, FoundKey found)
{
    private FoundKey _found = found;
    private int _next;

    /// <summary>The key's index in its batch.</summary>
    public int Index { get; } = index;

    public PartitionKey Key { get; } = read.Key;

    /// <summary>
    /// The version and owner in the first answer. The header must still have that version at each page, and in a read for a claim also that owner.
    /// </summary>
    public KeyHeader Header { get; } = found.Header;

    /// <summary>Whether the key is read for a claim. Then a change of the owner, too, ends the read.</summary>
    public bool IsClaimed { get; } = read.Claim is not null;

    /// <summary>The bytes of the omitted values.</summary>
    public long MissingBytes { get; } = found.Missing!.Sum(static value => (long)value.Size);

    /// <summary>The number of the omitted values.</summary>
    public int MissingParts { get; } = found.Missing!.Count;

    public bool IsComplete => _next == _found.Missing!.Count;

    /// <summary>The values of the next page: at least one, and several only within the given number of bytes.</summary>
    public List<MissingValue> NextPage(long mostBytes)
    {
        var page = new List<MissingValue>();
        var bytes = 0L;
        for (var i = _next; i < _found.Missing!.Count; i++)
        {
            bytes += _found.Missing[i].Size;
            if (page.Count > 0 && bytes > mostBytes)
                break;
            page.Add(_found.Missing[i]);
        }

        return page;
    }

    /// <summary>Adds a page's values, in the page's order.</summary>
    public void Take(List<MissingValue> page, byte[]?[] values)
    {
        for (var i = 0; i < page.Count; i++)
            _found.Add(page[i].Part, values[i]!);
        _next += page.Count;
    }

    public ReadOutcome Outcome => _found.Settle(read, wasClaimed: true)!.Value;
}
