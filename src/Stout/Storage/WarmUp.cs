namespace Stout.Storage;

/// <summary>
/// Makes the first requests of a store partition while it is opened. Connection set-up and just-in-time compilation then do not count as the store's
/// latency, and do not delay the first callers.
/// </summary>
internal static class WarmUp
{
    private const int Rounds = 4;

    private static readonly byte[] Value = new byte[64];

    /// <summary>
    /// Sends reads, and writes that change nothing because each expects a stamp that no key has. Errors are ignored; the lane's own requests will
    /// meet them.
    /// </summary>
    public static async Task RunAsync(IStorePartition partition, CancellationToken cancellationToken)
    {
        var key = new PartitionKey("stout: warm-up");
        var writer = WriterId.New();
        try
        {
            for (var round = 0; round < Rounds; round++)
            {
                var write = new WriteBatch();
                write.Add(
                    new KeyWrite(key, KeyWriteKind.Merge, new Stamp(0, writer, 1), null, new Stamp(0, writer, 2)),
                    [new PartWrite(SubKey.Root, IsDeleted: false, Value)]);
                await partition.WriteAsync(write, cancellationToken).ConfigureAwait(false);
                var read = new ReadBatch();
                read.Add(new KeyRead(key));
                await partition.ReadAsync(read, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (StoreException)
        {
            // The lane's own requests will meet the same error, and retry.
        }
    }
}
