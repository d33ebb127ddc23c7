using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Tests;

/// <summary>
/// Reads, claims and writes rows that were damaged at random, beside healthy ones: each damaged key is settled by itself, and no healthy key notices.
/// </summary>
internal sealed class FuzzedRows(StoreClient store, Random random)
{
    private const int Healthy = 12;

    private readonly Dictionary<string, Stamp> _healthy = [];
    private readonly Dictionary<string, string> _values = [];
    private int _next;

    /// <summary>How many reads of damaged keys were answered, and how many as corrupt.</summary>
    public (int Answered, int Corrupt) Reads { get; private set; }

    /// <summary>One round: new keys, damage to their rows, and what becomes of them.</summary>
    /// <param name="count">How many keys.</param>
    /// <param name="epoch">Under which epoch they are read: those of an older one are claimed.</param>
    /// <param name="damage">Changes the rows of the keys.</param>
    /// <param name="check">Compares a damaged key's read with what the store holds, where that can be told.</param>
    public async Task RunAsync(int count, long epoch, Func<IReadOnlyList<string>, Task> damage, Action<string, ReadOutcome>? check = null)
    {
        List<string> keys = [.. Enumerable.Range(0, count).Select(_ => $"fuzzed {_next++}")];
        var stamps = await MakeAsync(keys, Math.Max(0, epoch - random.Next(2)));
        await damage(keys);

        var all = Shuffle([.. keys, .. _healthy.Keys]);
        var reads = await ReadAllAsync(all, epoch);
        for (var i = 0; i < all.Count; i++)
        {
            if (_healthy.ContainsKey(all[i]))
            {
                Assert.Equal(_values[all[i]], Show(reads[i]));
                _healthy[all[i]] = reads[i].Stamp;
                continue;
            }

            IsSettled(reads[i].Kind is ReadOutcomeKind.Read or ReadOutcomeKind.Fenced, reads[i].Kind == ReadOutcomeKind.Refused, reads[i].Error, all[i]);
            check?.Invoke(all[i], reads[i]);
            if (reads[i].Kind == ReadOutcomeKind.Read)
                stamps[all[i]] = reads[i].Stamp;
        }

        await WriteAllAsync(Shuffle(all), stamps, epoch);
    }

    private async Task<Dictionary<string, Stamp>> MakeAsync(List<string> keys, long epoch)
    {
        var batch = new WriteBatch();
        while (_healthy.Count < Healthy)
        {
            var key = $"healthy {_healthy.Count}";
            _healthy.Add(key, Stamp.Absent);
            _values.Add(key, "=own part=x");
            store.Add(batch, store.NewWrite(key, Stamp.Absent, epoch: epoch), Part("", "own"), Part("part", "x"));
        }

        foreach (var key in keys)
            store.Add(batch, store.NewWrite(key, Stamp.Absent, epoch: epoch), RandomParts());
        var stamps = await SendAsync(batch);
        foreach (var key in _healthy.Keys.Where(stamps.ContainsKey).ToList())
            _healthy[key] = stamps[key];

        var deletions = new WriteBatch();
        foreach (var key in keys.Where(_ => random.Next(8) == 0))
            store.Add(deletions, store.NewWrite(key, stamps[key], KeyWriteKind.Delete, epoch));
        if (deletions.Count > 0)
        {
            foreach (var (key, stamp) in await SendAsync(deletions))
                stamps[key] = stamp;
        }

        return stamps;
    }

    private async Task WriteAllAsync(List<string> all, Dictionary<string, Stamp> stamps, long epoch)
    {
        var batch = new WriteBatch();
        foreach (var key in all)
        {
            var isHealthy = _healthy.TryGetValue(key, out var expected);
            var kind = isHealthy ? KeyWriteKind.Merge : (KeyWriteKind)random.Next(3);
            var write = store.NewWrite(key, isHealthy ? expected : stamps[key], kind, epoch);
            if (kind == KeyWriteKind.Delete)
                store.Add(batch, write);
            else if (isHealthy)
                store.Add(batch, write, Part("", "own"));
            else
                store.Add(batch, write, RandomParts());
        }

        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);
        for (var i = 0; i < batch.Count; i++)
        {
            var (key, outcome) = (batch[i].Key.Text, batch.OutcomeOf(i));
            if (_healthy.ContainsKey(key))
            {
                Assert.True(outcome.Kind == WriteOutcomeKind.Committed, $"{key}: {outcome.Kind}, {outcome.Error}");
                _healthy[key] = batch[i].Next;
                continue;
            }

            var isAnswered = outcome.Kind is WriteOutcomeKind.Committed or WriteOutcomeKind.Conflict or WriteOutcomeKind.Fenced;
            IsSettled(isAnswered, outcome.Kind == WriteOutcomeKind.Refused, outcome.Error, key);
        }

        // What begins a generation anew owes nothing to the damaged one: its acknowledgement has to hold.
        List<int> replaced = [.. Enumerable.Range(0, batch.Count).Where(i => batch[i].Kind != KeyWriteKind.Merge && batch.OutcomeOf(i).Kind == WriteOutcomeKind.Committed)];
        var reads = await ReadAllAsync([.. replaced.Select(i => batch[i].Key.Text)], epoch);
        for (var i = 0; i < replaced.Count; i++)
            Assert.True(reads[i].Kind == ReadOutcomeKind.Read && reads[i].Stamp == batch[replaced[i]].Next, $"{batch[replaced[i]].Key}: {reads[i].Kind}, {reads[i].Error}");
    }

    private async Task<Dictionary<string, Stamp>> SendAsync(WriteBatch batch)
    {
        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);
        for (var i = 0; i < batch.Count; i++)
            Assert.True(batch.OutcomeOf(i).Kind == WriteOutcomeKind.Committed, $"{batch[i].Key}: {batch.OutcomeOf(i).Kind}, {batch.OutcomeOf(i).Error}");
        return Enumerable.Range(0, batch.Count).ToDictionary(i => batch[i].Key.Text, i => batch[i].Next);
    }

    /// <summary>Reads keys as a lane does: a store may leave some for another request, and a claim may have met another request.</summary>
    private async Task<List<ReadOutcome>> ReadAllAsync(List<string> keys, long epoch) => keys.Count == 0 ? [] : [.. await store.ReadAsync(keys, epoch)];

    private void IsSettled(bool isAnswered, bool isRefused, Exception? error, string key)
    {
        var isCorrupt = isRefused && error is StoreException { Kind: StoreErrorKind.Corrupt, Scope: StoreErrorScope.Request };
        Assert.True(isAnswered || isCorrupt, $"{key}: {error}");
        Reads = (Reads.Answered + (isAnswered ? 1 : 0), Reads.Corrupt + (isCorrupt ? 1 : 0));
    }

    private PartWrite[] RandomParts()
    {
        var parts = new List<PartWrite>();
        if (random.Next(4) > 0)
            parts.Add(Part("", new byte[random.Next(6) == 0 ? 5_000 : random.Next(100)]));
        for (var i = random.Next(3); i > 0; i--)
            parts.Add(Part($"part {i}", new byte[random.Next(50)]));
        return [.. parts];
    }

    private List<string> Shuffle(List<string> keys)
    {
        var shuffled = keys.ToArray();
        random.Shuffle(shuffled);
        return [.. shuffled];
    }
}
