using Stout.Storage;

namespace Stout.Tests.Shared;

/// <summary>
/// A planted bug: a partition that acknowledges a batch at once and writes it afterwards, in order. A kill in between loses acknowledged writes.
/// </summary>
internal sealed class EarlyAnsweringPartition(IStorePartition inner) : IStorePartition
{
    private readonly Lock _lock = new();
    private Task _written = Task.CompletedTask;

    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        var copy = Copy(batch);
        lock (_lock)
            _written = WriteAfterAsync(_written, copy);
        for (var i = 0; i < batch.Count; i++)
            batch.SetOutcome(i, new WriteOutcome(WriteOutcomeKind.Committed));
        return ValueTask.CompletedTask;
    }

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => inner.ReadAsync(batch, cancellationToken);

    private async Task WriteAfterAsync(Task before, WriteBatch batch)
    {
        await before;
        await Task.Yield();
        await inner.WriteAsync(batch, CancellationToken.None);
    }

    /// <summary>Copies a batch, since the lane reuses the batch's memory after the answer.</summary>
    private static WriteBatch Copy(WriteBatch batch)
    {
        var copy = new WriteBatch();
        for (var i = 0; i < batch.Count; i++)
        {
            var parts = batch.PartsOf(i).ToArray();
            for (var p = 0; p < parts.Length; p++)
                parts[p] = parts[p] with { Value = parts[p].Value.ToArray() };
            copy.Add(batch[i], parts);
        }

        return copy;
    }
}
