using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Stout;
using Stout.Storage;

namespace Documentation.Examples;

/// <summary>The code of docs/base-layer.md: the paper's counters of advertising impressions (section 3.1).</summary>
public static class BaseLayerPage
{
    /// <summary>Adds to a stored count, by its bytes.</summary>
    public static async Task<long> CountBytesAsync(IStorageProxy storage)
    {
        #region bytes
        await using var stout = await StoutClient.OpenAsync(storage);
        var opened = await stout.OpenAsync(new PartitionKey("ad/4711"));
        var count = opened switch
        {
            OpenedKey.Read read => BinaryPrimitives.ReadInt64BigEndian(read.Parts[0].Value.Span),
            OpenedKey.Absent => 0,
            _ => throw new InvalidOperationException("Other code of this process has the key open."),
        };

        var bytes = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(bytes, ++count);
        var version = await opened.Handle.WriteAsync(new KeyChange().Set(SubKey.Root, bytes)); // The count is durable.
        #endregion
        Console.WriteLine(version);
        return count;
    }

    #region application
    public sealed class Counter
    {
        public long Value { get; set; }
    }

    /// <summary>The application's side: where the objects are, and how they become bytes and come from bytes.</summary>
    public sealed class Counters : IStoutApplication
    {
        // By handle, not by key: an object belongs to one fill, and goes with the handle.
        private readonly ConditionalWeakTable<KeyHandle, Counter> _counters = [];

        public Counter this[KeyHandle handle] => _counters.GetOrAdd(handle, _ => new Counter());

        public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
        {
            if (filled.Exists)
                this[filled.Handle].Value = BinaryPrimitives.ReadInt64BigEndian(filled.Parts[0].Value.Span);
            return default;
        }

        public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
        {
            for (var i = 0; i < batch.Count; i++)
            {
                var counter = this[batch[i].Handle];
                var bytes = batch[i].Write(SubKey.Root);
                lock (counter)
                    BinaryPrimitives.WriteInt64BigEndian(bytes.GetSpan(sizeof(long)), counter.Value);
                bytes.Advance(sizeof(long));
            }

            return default;
        }
    }
    #endregion

    #region awaitable
    /// <summary>Counts, and returns when the count is durable.</summary>
    public static async Task<long> CountAsync(StoutClient stout, Counters counters, PartitionKey key)
    {
        var handle = await stout.FillAsync(key); // Reads the store once; afterwards it only finds the handle.
        var counter = counters[handle];
        long value;
        lock (counter)
        {
            value = ++counter.Value;
            handle.MarkDirty(); // Inside the lock: a request that reads the new value waits for it too.
        }

        await handle.WhenSafeAsync();
        return value;
    }
    #endregion

    #region callback
    /// <summary>Reads, and replies when what was read is durable. Replies of one key leave in the order of these calls.</summary>
    public static void Reply(KeyHandle handle, Counter counter, Action<string> send)
    {
        lock (counter)
        {
            handle.SendMessageWhenSafe(
                (Text: $"{counter.Value} impressions", Send: send),
                static (reply, release) => reply.Send(release.Failure?.Message ?? reply.Text));
        }
    }
    #endregion

    public static async Task<string> RunAsync(IStorageProxy storage)
    {
        #region open
        var counters = new Counters();
        await using var stout = await StoutClient.OpenAsync(storage, counters);
        var ad = new PartitionKey("ad/4711");
        var counts = await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => CountAsync(stout, counters, ad)));
        #endregion

        var handle = await stout.FillAsync(ad);
        var replied = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        Reply(handle, counters[handle], replied.SetResult);
        return $"{counts.Max()}; {await replied.Task}; closed {await handle.TryCloseAsync()}";
    }
}
