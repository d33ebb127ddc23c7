using Stout.Storage;

namespace Stout.Testing;

/// <summary>A model of a store: a plain dictionary.</summary>
internal sealed class StoreModel(TimeSpan? retention)
{
    private readonly Dictionary<string, Entry> _entries = [];

    public sealed class Entry
    {
        public Stamp Stamp { get; set; }

        /// <summary>The time of the deletion; null while the key exists.</summary>
        public DateTimeOffset? DeletedAt { get; set; }

        public SortedDictionary<string, byte[]> Parts { get; set; } = new(StringComparer.Ordinal);
    }

    public Entry? Find(string key) => _entries.GetValueOrDefault(key);

    /// <summary>Whether the store may have removed the deleted key's header.</summary>
    public bool MayBeForgotten(string key, DateTimeOffset now) => Find(key)?.DeletedAt is { } deleted && now - deleted >= retention;

    public void Forget(string key) => _entries.Remove(key);

    public WriteOutcomeKind Judge(in KeyWrite write)
    {
        var stored = Find(write.Key.Text)?.Stamp ?? Stamp.Absent;
        return stored == write.Next ? WriteOutcomeKind.Committed
            : stored.Epoch > write.Next.Epoch ? WriteOutcomeKind.Fenced
            : stored == write.Expected ? WriteOutcomeKind.Committed
            : WriteOutcomeKind.Conflict;
    }

    public void Write(in KeyWrite write, IReadOnlyList<PartWrite> parts, DateTimeOffset now)
    {
        if (Judge(write) != WriteOutcomeKind.Committed || Find(write.Key.Text)?.Stamp == write.Next)
            return;
        var old = Find(write.Key.Text);
        var keeps = write.Kind == KeyWriteKind.Merge && old is { DeletedAt: null };
        var entry = new Entry { Stamp = write.Next, DeletedAt = write.Kind == KeyWriteKind.Delete ? now : null };
        if (keeps)
            entry.Parts = old!.Parts;
        foreach (var part in parts)
        {
            if (part.IsDeleted)
                entry.Parts.Remove(part.SubKey.Text);
            else
                entry.Parts[part.SubKey.Text] = part.Value.ToArray();
        }

        _entries[write.Key.Text] = entry;
    }

    public void Claim(string key, in Stamp claim, DateTimeOffset now)
    {
        if (Find(key) is not { } entry || entry.Stamp.Epoch >= claim.Epoch)
            return;
        entry.Stamp = claim;
        if (entry.DeletedAt is not null)
            entry.DeletedAt = now;
    }
}
