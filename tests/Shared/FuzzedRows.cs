using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Tests;

/// <summary>
/// Reads, claims and writes rows that were damaged at random, together with healthy ones. Each damaged key has its own outcome, and no healthy key fails.
/// </summary>
/// <param name="store">The store.</param>
/// <param name="random">The source of all random choices.</param>
/// <param name="mostKeys">The most keys of one batch.</param>
internal sealed class FuzzedRows(StoreClient store, Random random, int mostKeys = int.MaxValue)
{
    private const int Healthy = 12;

    private readonly Dictionary<string, Stamp> _healthy = [];
    private readonly Dictionary<string, KeyOwner> _owners = [];
    private readonly Dictionary<string, string> _values = [];
    private int _next;

    /// <summary>The number of reads of damaged keys that returned data, and of those that failed as corrupt.</summary>
    public (int Answered, int Corrupt) Reads { get; private set; }

    /// <summary>Runs one round: creates keys, damages their rows, and checks the outcomes of requests for them.</summary>
    /// <param name="count">The number of keys.</param>
    /// <param name="damage">Changes the rows of the keys.</param>
    /// <param name="check">Compares a damaged key's read with the store's rows; null to compare nothing.</param>
    public async Task RunAsync(int count, Func<IReadOnlyList<string>, Task> damage, Action<string, ReadOutcome>? check = null)
    {
        List<string> keys = [.. Enumerable.Range(0, count).Select(_ => $"fuzzed {_next++}")];
        var stamps = await MakeAsync(keys);
        await damage(keys);

        var all = Shuffle([.. keys, .. _healthy.Keys]);
        var claims = store.Proxy.Capabilities.Claims && random.Next(2) == 0;
        var reads = await ReadAllAsync(all, claims);
        for (var i = 0; i < all.Count; i++)
        {
            if (_healthy.ContainsKey(all[i]))
            {
                Assert.Equal(_values[all[i]], Show(reads[i]));
                _healthy[all[i]] = reads[i].Version;
                _owners[all[i]] = reads[i].Owner;
                continue;
            }

            IsSettled(reads[i].Kind is ReadOutcomeKind.Read or ReadOutcomeKind.Fenced, reads[i].Kind == ReadOutcomeKind.Refused, reads[i].Error, all[i]);
            check?.Invoke(all[i], reads[i]);
            if (reads[i].Kind == ReadOutcomeKind.Read)
                (stamps[all[i]], _owners[all[i]]) = (reads[i].Version, reads[i].Owner);
        }

        await WriteAllAsync(Shuffle(all), stamps);
    }

    private async Task<Dictionary<string, Stamp>> MakeAsync(List<string> keys)
    {
        var writes = new List<(KeyWrite Write, PartWrite[] Parts)>();
        while (_healthy.Count < Healthy)
        {
            var key = $"healthy {_healthy.Count}";
            _healthy.Add(key, Stamp.Absent);
            _values.Add(key, "=own part=x");
            writes.Add((store.NewWrite(key, Stamp.Absent), [Part("", "own"), Part("part", "x")]));
        }

        writes.AddRange(keys.Select(key => (store.NewWrite(key, Stamp.Absent), RandomParts())));
        var stamps = await PutAsync(writes);
        foreach (var key in _healthy.Keys.Where(stamps.ContainsKey).ToList())
            _healthy[key] = stamps[key];
        var deleted = await PutAsync([.. keys.Where(_ => random.Next(8) == 0).Select(key => (store.NewWrite(key, stamps[key], KeyWriteKind.Delete), Array.Empty<PartWrite>()))]);
        foreach (var (key, stamp) in deleted)
            stamps[key] = stamp;
        return stamps;
    }

    private async Task WriteAllAsync(List<string> all, Dictionary<string, Stamp> stamps)
    {
        var replaced = new Dictionary<string, Stamp>();
        foreach (var (write, outcome) in await WriteAsync([.. all.Select(key => WriteOf(key, stamps))]))
        {
            var key = write.Key.Text;
            if (_healthy.ContainsKey(key))
            {
                Assert.True(outcome.Kind == WriteOutcomeKind.Committed, $"{key}: {outcome.Kind}, {outcome.Error}");
                _healthy[key] = write.Next;
                continue;
            }

            var isAnswered = outcome.Kind is WriteOutcomeKind.Committed or WriteOutcomeKind.Conflict or WriteOutcomeKind.Fenced;
            IsSettled(isAnswered, outcome.Kind == WriteOutcomeKind.Refused, outcome.Error, key);
            if (outcome.Kind == WriteOutcomeKind.Committed && write.Kind != KeyWriteKind.Merge)
                replaced[key] = write.Next;
        }

        // A write that begins a new generation does not depend on the damaged one. So if it was acknowledged, its object must be readable.
        List<string> keys = [.. replaced.Keys];
        var reads = await ReadAllAsync(keys, claims: false);
        for (var i = 0; i < keys.Count; i++)
            Assert.True(reads[i].Kind == ReadOutcomeKind.Read && reads[i].Version == replaced[keys[i]], $"{keys[i]}: {reads[i].Kind}, {reads[i].Error}");
    }

    private (KeyWrite Write, PartWrite[] Parts) WriteOf(string key, Dictionary<string, Stamp> stamps)
    {
        var owner = _owners.GetValueOrDefault(key);
        if (_healthy.TryGetValue(key, out var expected))
            return (store.NewWrite(key, expected, owner: owner), [Part("", "own")]);
        var kind = (KeyWriteKind)random.Next(3);
        return (store.NewWrite(key, stamps[key], kind, owner), kind == KeyWriteKind.Delete ? [] : RandomParts());
    }

    private async Task<Dictionary<string, Stamp>> PutAsync(List<(KeyWrite Write, PartWrite[] Parts)> writes)
    {
        var outcomes = await WriteAsync(writes);
        Assert.All(outcomes, one => Assert.True(one.Outcome.Kind == WriteOutcomeKind.Committed, $"{one.Write.Key}: {one.Outcome.Kind}, {one.Outcome.Error}"));
        return outcomes.ToDictionary(one => one.Write.Key.Text, one => one.Write.Next);
    }

    private async Task<List<(KeyWrite Write, WriteOutcome Outcome)>> WriteAsync(List<(KeyWrite Write, PartWrite[] Parts)> writes)
    {
        var outcomes = new List<(KeyWrite, WriteOutcome)>();
        foreach (var some in writes.Chunk(mostKeys))
        {
            var batch = new WriteBatch();
            foreach (var (write, parts) in some)
                store.Add(batch, write, parts);
            await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);
            outcomes.AddRange(Enumerable.Range(0, batch.Count).Select(i => (batch[i], batch.OutcomeOf(i))));
        }

        return outcomes;
    }

    private async Task<List<ReadOutcome>> ReadAllAsync(List<string> keys, bool claims)
    {
        var outcomes = new List<ReadOutcome>();
        foreach (var some in keys.Chunk(mostKeys))
            outcomes.AddRange(claims ? await store.ClaimAsync(some) : await store.ReadAsync(some));
        return outcomes;
    }

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
