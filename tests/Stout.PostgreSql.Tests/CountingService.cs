using System.Buffers.Binary;
using System.Buffers;
using System.Collections.Concurrent;
using Stout.Storage;

namespace Stout.PostgreSql.Tests;

/// <summary>
/// A service whose objects are numbers. Each writer counts its own number up, one durable step after the other. After a failed step it goes on with the
/// number in the store.
/// </summary>
internal sealed class CountingService : IStoutApplication, IAsyncDisposable
{
    private readonly ConcurrentDictionary<PartitionKey, long> _numbers = [];
    private readonly ConcurrentDictionary<PartitionKey, (long Acknowledged, long Tried)> _steps = [];
    private readonly ConcurrentQueue<Exception> _failures = [];
    private StoutClient _client = null!;
    private long _acknowledged;
    private (long Count, TaskCompletionSource Reached) _awaited = (long.MaxValue, new());

    /// <summary>The errors of the steps whose messages have failed.</summary>
    public IReadOnlyCollection<Exception> Failures => _failures;

    public static async Task<CountingService> OpenAsync(IStorageProxy store, StoutOptions? options = null)
    {
        var service = new CountingService();
        service._client = await StoutClient.OpenAsync(store, service, options);
        return service;
    }

    /// <summary>Counts with a number of writers until the token fires. The task completes when every message has ended.</summary>
    public Task CountAsync(int writers, CancellationToken stop) =>
        Task.WhenAll(Enumerable.Range(0, writers).Select(i => Task.Run(() => CountAsync(new PartitionKey($"number {i}"), stop))));

    /// <summary>Completes when <paramref name="more"/> more steps have been acknowledged.</summary>
    public Task AcknowledgedAsync(int more)
    {
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _awaited = (Interlocked.Read(ref _acknowledged) + more, reached);
        return reached.Task;
    }

    /// <summary>Checks that every number in the store is between the last acknowledged step and the last tried one.</summary>
    public async Task VerifyAsync(IStorageProxy store)
    {
        await DisposeAsync();
        var stored = new CountingService();
        await using var client = await StoutClient.OpenAsync(store, stored);
        foreach (var (key, (acknowledged, tried)) in _steps)
        {
            await client.FillAsync(key);
            Assert.InRange(stored._numbers[key], acknowledged, tried);
        }

        Assert.NotEmpty(_steps);
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
    {
        _numbers[filled.Key] = filled.Exists ? BinaryPrimitives.ReadInt64BigEndian(filled.Parts[0].Value.Span) : 0;
        return default;
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var writer = batch[i].Write(SubKey.Root);
            BinaryPrimitives.WriteInt64BigEndian(writer.GetSpan(sizeof(long)), _numbers[batch[i].Key]);
            writer.Advance(sizeof(long));
        }

        return default;
    }

    public ValueTask DisposeAsync() => _client.DisposeAsync();

    private async Task CountAsync(PartitionKey key, CancellationToken stop)
    {
        KeyHandle? handle = null;
        while (!stop.IsCancellationRequested)
        {
            try
            {
                if (handle is null)
                {
                    handle = await _client.FillAsync(key, cancellationToken: CancellationToken.None);
                    var steps = _steps.GetOrAdd(key, default((long, long)));
                    Assert.InRange(_numbers[key], steps.Acknowledged, Math.Max(steps.Tried, steps.Acknowledged));
                }

                var next = _numbers[key] + 1;
                _steps[key] = _steps[key] with { Tried = Math.Max(next, _steps[key].Tried) };
                _numbers[key] = next;
                handle.MarkDirty();
                await handle.WhenSafeAsync(CancellationToken.None);
                _steps[key] = _steps[key] with { Acknowledged = next };
                var (count, reached) = _awaited;
                if (Interlocked.Increment(ref _acknowledged) >= count)
                    reached.TrySetResult();
            }
            catch (StoutException error)
            {
                _failures.Enqueue(error);
                handle = null;
            }
        }
    }
}
