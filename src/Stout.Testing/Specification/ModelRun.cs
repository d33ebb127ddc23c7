using Microsoft.Extensions.Time.Testing;
using Stout.Storage;

namespace Stout.Testing;

/// <summary>
/// Sends random requests to a store and a model: writes of all kinds by two writers, with right, stale and absent stamps, repetitions, claims,
/// reopening, and pauses for sweeping.
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
    private readonly long _epochs = opened[0].Proxy.Capabilities.Claims ? 4 : 1;
    private StoreClient[] _clients = opened;
    private int _operations;

    private StoreClient AnyClient => _clients[_random.Next(_clients.Length)];

    /// <returns>The open client at the end.</returns>
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
                case < 300:
                    await ReadAsync(keys[_random.Next(keys.Count)]);
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
        var stored = _model.Find(key)?.Stamp ?? Stamp.Absent;
        var expected = _random.Next(6) == 0 ? _stale[_random.Next(_stale.Count)] : stored;
        var kind = _random.Next(10) switch { < 7 => KeyWriteKind.Merge, 7 => KeyWriteKind.Replace, _ => KeyWriteKind.Delete };
        var epoch = _random.Next(5) == 0 ? _random.NextInt64(_epochs) : stored.Epoch;
        var write = store.NewWrite(key, expected, kind, epoch);
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
        var stored = _model.Find(key)?.Stamp ?? Stamp.Absent;
        var epoch = _random.Next(4) == 0 ? _random.NextInt64(_epochs) : stored.Epoch;
        var read = await AnyClient.ReadAsync(key, epoch);
        if (read is { Kind: ReadOutcomeKind.Read, Stamp.IsAbsent: true } && _model.MayBeForgotten(key, time.GetUtcNow()))
            _model.Forget(key);
        if (_model.Find(key) is not { } entry)
        {
            var absent = read is { Kind: ReadOutcomeKind.Read, Exists: false, Stamp.IsAbsent: true };
            Check(absent, $"an absent key reads as {read.Kind}, {read.Stamp}; {read.Error}");
            return;
        }

        if (entry.Stamp.Epoch > epoch)
        {
            Check(read.Kind == ReadOutcomeKind.Fenced, $"a read of an older epoch ends as {read.Kind}; {read.Error}");
            return;
        }

        Check(read.Kind == ReadOutcomeKind.Read, $"the read ends as {read.Kind}; {read.Error}");
        if (entry.Stamp.Epoch < epoch)
            _model.Claim(key, read.Stamp with { Epoch = epoch }, time.GetUtcNow());
        Check(read.Stamp == entry.Stamp, $"the stamp is {read.Stamp} and should be {entry.Stamp}");
        Check(read.Exists == entry.DeletedAt is null, $"the key exists: {read.Exists}");
        Check(read.Parts.Count == (read.Exists ? entry.Parts.Count : 0), $"there are {read.Parts.Count} parts");
        foreach (var part in read.Parts)
            Check(entry.Parts.TryGetValue(part.SubKey.Text, out var value) && part.Value.Span.SequenceEqual(value), "a part differs");
    }

    private void Check(bool holds, string otherwise) => Assert.True(holds, $"{StorageProxySpecification.SeedVariable}={seed}, operation {_operations}: {otherwise}");
}
