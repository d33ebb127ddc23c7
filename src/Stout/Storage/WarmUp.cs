using Stout.Lanes;

namespace Stout.Storage;

/// <summary>
/// The first requests of a store partition, made while it is opened: connections are set up and code is compiled by then, so that neither is latency of the store to a
/// pacing law, or of the first callers.
/// </summary>
internal static class WarmUp
{
    private const int Rounds = 4;

    private static readonly byte[] Value = new byte[64];

    /// <summary>
    /// Writes that change nothing, since each expects a stamp that no key has, and reads. What goes wrong is left to the lane's own requests to find.
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
                read.Add(new KeyRead(key, Stamp.Absent));
                await partition.ReadAsync(read, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (StoreException)
        {
            // The store was open a moment ago; whether it still works a lane finds out, which repeats.
        }
    }
}
