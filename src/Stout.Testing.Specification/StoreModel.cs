using Stout.Storage;

namespace Stout.Testing;

/// <summary>A model of a store: a plain dictionary.</summary>
internal sealed class StoreModel(TimeSpan? retention)
{
    private readonly Dictionary<string, Entry> _entries = [];

    public sealed class Entry
    {
        public KeyHeader Header { get; set; }

        /// <summary>The time at which the object was deleted, or the key last claimed without an object; null while the object exists.</summary>
        public DateTimeOffset? GoneSince { get; set; }

        public SortedDictionary<string, byte[]> Parts { get; set; } = new(StringComparer.Ordinal);
    }

    /// <summary>The largest epoch of any owner of any key.</summary>
    public long LargestEpoch { get; private set; }

    public Entry? Find(string key) => _entries.GetValueOrDefault(key);

    public KeyHeader HeaderOf(string key) => Find(key)?.Header ?? default;

    /// <summary>Whether the store may have removed the key's header, since the key has had no object for the whole retention.</summary>
    public bool MayBeForgotten(string key, DateTimeOffset now) => Find(key)?.GoneSince is { } since && now - since >= retention;

    public void Forget(string key) => _entries.Remove(key);

    public WriteOutcomeKind Judge(in KeyWrite write)
    {
        var stored = HeaderOf(write.Key.Text);
        return stored.Version == write.Next ? WriteOutcomeKind.Committed
            : stored.Owner != write.Owner ? WriteOutcomeKind.Fenced
            : stored.Version == write.Expected ? WriteOutcomeKind.Committed
            : WriteOutcomeKind.Conflict;
    }

    public void Write(in KeyWrite write, IReadOnlyList<PartWrite> parts, DateTimeOffset now)
    {
        var stored = HeaderOf(write.Key.Text);
        if (Judge(write) != WriteOutcomeKind.Committed || stored.Version == write.Next)
            return;
        var old = Find(write.Key.Text);
        var keeps = write.Kind == KeyWriteKind.Merge && old is { GoneSince: null };
        var entry = new Entry { Header = stored with { Version = write.Next }, GoneSince = write.Kind == KeyWriteKind.Delete ? now : null };
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

    public void Claim(string key, KeyOwner owner, DateTimeOffset now)
    {
        if (HeaderOf(key).Owner == owner)
            return;
        LargestEpoch = Math.Max(LargestEpoch, owner.Epoch);
        var entry = Find(key) ?? (_entries[key] = new Entry { GoneSince = now });
        entry.Header = entry.Header with { Owner = owner };
        if (entry.GoneSince is not null)
            entry.GoneSince = now;
    }
}
