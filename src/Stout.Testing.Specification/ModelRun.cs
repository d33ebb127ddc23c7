using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Testing;

/// <summary>
/// Sends random requests to a store and a model. Two writers send writes of all kinds, with right, stale and absent stamps, under right and stale owners.
/// Between the writes the run repeats requests, claims and resets keys, reopens the store, and advances the clock so that sweeps happen.
/// </summary>
internal sealed class ModelRun(
    int seed, FakeTimeProvider time, StoreClient[] opened, Func<StoreClient[], Task<StoreClient[]>> reopen, IReadOnlyList<string> keys)
{
    private static readonly string[] SubKeys = ["", "a", "A", "b ", "\0", "日本"];
    private static readonly int[] Sizes = [0, 1, 60, 1_000, 4_095, 4_096, 4_097, 9_000];

    private readonly Random _random = new(seed);
    private readonly StoreModel _model = new(opened[0].Proxy.Limits.DeletedHeaderRetention);
    private readonly List<Stamp> _stale = [Stamp.Absent];
    private readonly Dictionary<string, (KeyWrite Write, PartWrite[] Parts)> _last = [];
    private readonly List<KeyOwner> _staleOwners = [KeyOwner.None];
    private readonly Dictionary<string, KeyClaim> _lastClaims = [];
    private readonly bool _claims = opened[0].Proxy.Capabilities.Claims;
    private StoreClient[] _clients = opened;
    private int _operations;

    private StoreClient AnyClient => _clients[_random.Next(_clients.Length)];

    /// <returns>The client that is still open at the end.</returns>
    public async Task<StoreClient> RunAsync(int operations)
    {
        while (_operations < operations)
        {
            switch (_random.Next(1_000))
            {
                case 0:
                    _clients = await reopen(_clients);
                    break;
                case < 10:
                    time.Advance(TimeSpan.FromHours(_random.Next(1, 20)));
                    break;
                case < 250:
                    await ReadAsync(keys[_random.Next(keys.Count)]);
                    break;
                case < 350 when _claims:
                    await ClaimAsync(keys[_random.Next(keys.Count)]);
                    break;
                default:
                    await WriteAsync();
                    break;
            }
        }

        foreach (var key in keys)
            await ReadAsync(key);
        await _clients[1].DisposeAsync();
        return _clients[0];
    }

    private async Task WriteAsync()
    {
        var store = AnyClient;
        var batches = new Dictionary<int, (WriteBatch Batch, List<(KeyWrite Write, PartWrite[] Parts)> Writes)>();
        foreach (var key in Enumerable.Range(0, _random.Next(1, 9)).Select(_ => keys[_random.Next(keys.Count)]).Distinct())
        {
            var (write, parts) = _random.Next(8) == 0 && _last.TryGetValue(key, out var last) ? last : NewWrite(store, key);
            _last[key] = (write, parts);
            var partition = store.PartitionOf(write.Key);
            if (!batches.TryGetValue(partition, out var batch))
                batches[partition] = batch = (new WriteBatch(), []);
            store.Add(batch.Batch, write, parts);
            batch.Writes.Add((write, parts));
        }

        foreach (var (partition, (batch, writes)) in batches)
        {
            await store.WriteAsync(partition, batch, TestContext.Current.CancellationToken);
            for (var i = 0; i < writes.Count; i++)
                Compare(writes[i].Write, writes[i].Parts, batch.OutcomeOf(i));
        }
    }

    private (KeyWrite Write, PartWrite[] Parts) NewWrite(StoreClient store, string key)
    {
        var stored = _model.HeaderOf(key);
        var expected = _random.Next(6) == 0 ? _stale[_random.Next(_stale.Count)] : stored.Version;
        var kind = _random.Next(10) switch { < 7 => KeyWriteKind.Merge, 7 => KeyWriteKind.Replace, _ => KeyWriteKind.Delete };
        var owner = _random.Next(6) == 0 ? _staleOwners[_random.Next(_staleOwners.Count)] : stored.Owner;
        var write = store.NewWrite(key, expected, kind, owner);
        return (write, kind == KeyWriteKind.Delete ? [] : NewParts());
    }

    private PartWrite[] NewParts() =>
    [
        .. SubKeys.Where(_ => _random.Next(3) == 0).Select(subKey =>
        {
            var value = new byte[Sizes[_random.Next(Sizes.Length)]];
            _random.NextBytes(value);
            return _random.Next(4) == 0 ? StoreClient.NoPart(subKey) : StoreClient.Part(subKey, value);
        }),
    ];

    private void Compare(in KeyWrite write, PartWrite[] parts, in WriteOutcome outcome)
    {
        _operations++;
        var expected = _model.Judge(write);
        if (outcome.Kind != expected && _model.MayBeForgotten(write.Key.Text, time.GetUtcNow()))
        {
            _model.Forget(write.Key.Text);
            expected = _model.Judge(write);
        }

        Check(outcome.Kind == expected, $"the write's outcome is {outcome.Kind} and should be {expected}; {outcome.Error}");
        _model.Write(write, parts, time.GetUtcNow());
        _stale.Add(write.Next);
    }

    private async Task ReadAsync(string key)
    {
        _operations++;
        var withParts = !_claims || _random.Next(3) > 0;
        var read = withParts ? await AnyClient.ReadAsync(key) : await AnyClient.ReadHeaderAsync(key);
        if (read.Kind == ReadOutcomeKind.Read && read.Header == default && _model.MayBeForgotten(key, time.GetUtcNow()))
            _model.Forget(key);
        Compare(key, read, withParts);
    }

    private async Task ClaimAsync(string key)
    {
        _operations++;
        var stored = _model.HeaderOf(key);
        var claim = NewClaim(key, stored);
        _lastClaims[key] = claim;
        var read = await AnyClient.ClaimAsync(key, claim);

        if (!Fits(stored) && _model.MayBeForgotten(key, time.GetUtcNow()))
        {
            _model.Forget(key);
            stored = default;
        }

        Check(Fits(stored), $"the claim {claim} ends as {read.Kind}, {read.Header}, after {stored}; {read.Error}");
        if (read.Kind == ReadOutcomeKind.Fenced)
            return;
        if (read.Owner != stored.Owner)
            _staleOwners.Add(read.Owner);
        _model.Claim(key, read.Owner, time.GetUtcNow());
        Compare(key, read, claim.ReadsParts);

        bool Fits(in KeyHeader before)
        {
            var isRepeat = before.Owner.Claim == claim.Id;
            if (!isRepeat && claim.OnlyIf is { } only && only != before)
                return read.Kind == ReadOutcomeKind.Fenced && read.Header == before;
            if (read.Kind != ReadOutcomeKind.Read || read.Version != before.Version)
                return false;
            return isRepeat ? read.Owner == before.Owner : read.Owner.Claim == claim.Id && IsNext(read.Owner.Epoch, before.Owner.Epoch);
        }

        // A claim may skip epochs of its key. The new epoch is at most one above the largest that the store has had, unless the claim asks for more.
        bool IsNext(long epoch, long before) =>
            epoch >= Math.Max(before + 1, claim.AtLeastEpoch) && epoch <= Math.Max(_model.LargestEpoch + 1, claim.AtLeastEpoch);
    }

    private KeyClaim NewClaim(string key, in KeyHeader stored) => _random.Next(8) switch
    {
        0 when _lastClaims.TryGetValue(key, out var last) => last,
        1 => new KeyClaim(Guid.Empty),
        2 => new KeyClaim(Guid.NewGuid(), _random.Next(100)),
        3 => new KeyClaim(Guid.NewGuid()) { OnlyIf = stored },
        4 => new KeyClaim(Guid.NewGuid()) { OnlyIf = new KeyHeader(_stale[_random.Next(_stale.Count)], _staleOwners[_random.Next(_staleOwners.Count)]) },
        _ => new KeyClaim(Guid.NewGuid()),
    };

    private void Compare(string key, in ReadOutcome read, bool withParts)
    {
        Check(read.Kind == ReadOutcomeKind.Read, $"the read ends as {read.Kind}; {read.Error}");
        var entry = _model.Find(key);
        var header = _model.HeaderOf(key);
        Check(read.Header == header, $"the header is {read.Header} and should be {header}");
        Check(read.Exists == entry is { GoneSince: null }, $"the key exists: {read.Exists}");
        Check(read.Parts.Count == (read.Exists && withParts ? entry!.Parts.Count : 0), $"there are {read.Parts.Count} parts");
        foreach (var part in read.Parts)
            Check(entry!.Parts.TryGetValue(part.SubKey.Text, out var value) && part.Value.Span.SequenceEqual(value), "a part differs");
    }

    private void Check(bool holds, string otherwise) => Assert.True(holds, $"{StorageProxySpecification.SeedVariable}={seed}, operation {_operations}: {otherwise}");
}
