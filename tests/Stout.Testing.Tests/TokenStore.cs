using Stout.Storage;

namespace Stout.Testing.Tests;

/// <summary>Returns a token with every header, and fails a write that expects a stored header without its token.</summary>
internal sealed class TokenStore(InMemoryStore inner) : IStorageProxy
{
    public StorageCapabilities Capabilities => inner.Capabilities;

    public StorageLimits Limits => inner.Limits;

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) =>
        [.. (await inner.OpenAsync(cancellationToken)).Select(partition => new Partition(partition))];

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    private static string TokenOf(PartitionKey key, KeyHeader header) => $"{key} {header}";

    private sealed class Partition(IStorePartition inner) : IStorePartition
    {
        public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
        {
            await inner.WriteAsync(batch, cancellationToken);
            for (var i = 0; i < batch.Count; i++)
            {
                if (batch.OutcomeOf(i).Kind != WriteOutcomeKind.Committed)
                    continue;
                var write = batch[i];
                var expected = new KeyHeader(write.Expected, write.Owner);
                var knows = expected == default || Equals(write.ExpectedToken, TokenOf(write.Key, expected));
                batch.SetOutcome(i, knows
                    ? new WriteOutcome(WriteOutcomeKind.Committed, TokenOf(write.Key, expected with { Version = write.Next }))
                    : new WriteOutcome(WriteOutcomeKind.Unknown, Error: new InvalidOperationException("The token is missing.")));
            }
        }

        public ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) => inner.RaiseEpochFloorAsync(epoch, cancellationToken);

        public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => inner.ListAsync(listing, cancellationToken);

        public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
        {
            await inner.ReadAsync(batch, cancellationToken);
            for (var i = 0; i < batch.Count; i++)
            {
                if (batch.OutcomeOf(i) is not { Kind: ReadOutcomeKind.Read } read)
                    continue;
                var token = read.Header == default ? null : TokenOf(batch[i].Key, read.Header);
                batch.SetOutcome(i, read.Exists
                    ? ReadOutcome.Found(read.Version, read.Parts, token, read.Owner)
                    : ReadOutcome.NotFound(read.Version, token, read.Owner));
            }
        }
    }
}
