using System.Buffers;
using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Experiments.Live;

/// <summary>A middle tier: its own Stout with its own connections to the store, and the documents that it owns, all in memory.</summary>
internal sealed class LiveTier : IStoutApplication, IAsyncDisposable
{
    // The timeout is long, since the experiment decides how long the store pauses. Admission has no limits, so no client is held back.
    private static readonly StoutOptions Options = new()
    {
        RequestTimeout = TimeSpan.FromMinutes(5),
        MaxDirtyKeys = int.MaxValue,
        MaxUndurableBytes = long.MaxValue,
        MaxWaitingMessages = int.MaxValue,
    };

    private readonly int _number;
    private readonly byte[] _value;
    private readonly List<LaneLaw> _lanes = [];
    private (KeyHandle Handle, int Partition)[] _documents = [];
    private StoutClient? _client;

    private LiveTier(int number, int valueBytes)
    {
        _number = number;
        _value = new byte[valueBytes];
        Random.Shared.NextBytes(_value);
    }

    public IReadOnlyList<LaneLaw> Lanes => _lanes;

    /// <summary>Opens the store, and writes every document once: from then on each write replaces a row.</summary>
    /// <param name="number">The tier's number, from 0.</param>
    /// <param name="store">A proxy of the store, which the tier disposes.</param>
    /// <param name="keys">The keys of the tier's documents.</param>
    /// <param name="valueBytes">Bytes of a document.</param>
    /// <param name="cancellationToken">Stops the opening.</param>
    public static async Task<LiveTier> OpenAsync(int number, IStorageProxy store, IReadOnlyList<PartitionKey> keys, int valueBytes, CancellationToken cancellationToken)
    {
        var tier = new LiveTier(number, valueBytes);
        var options = Options with { Pacing = tier.NewLaw };
        tier._client = await StoutClient.OpenAsync(store, tier, options, cancellationToken: cancellationToken);
        try
        {
            var handles = await Task.WhenAll(keys.Select(key => tier._client.OpenAsAbsentAsync(key, cancellationToken: cancellationToken).AsTask()));
            await Task.WhenAll(handles.Select(handle => handle.MarkDirtyAsync(cancellationToken: cancellationToken).AsTask()));
            tier._documents = [.. handles.Select(handle => (handle, Slots.PartitionOf(Slots.Of(handle.Key), tier._lanes.Count)))];
            return tier;
        }
        catch
        {
            await tier.DisposeAsync();
            throw;
        }
    }

    /// <summary>Gives each lane a new law.</summary>
    /// <param name="law">The law.</param>
    /// <param name="intervalMilliseconds">The law's first interval; null for its default.</param>
    public void Pace(PacingChoice law, double? intervalMilliseconds = null) => _lanes.ForEach(lane => lane.Law = law.Create(intervalMilliseconds));

    /// <summary>Serves a client's change or read of a document. The reply waits until all changes of the document so far are durable.</summary>
    public void Serve(int document, bool isWrite, TimeSpan startedAt, LiveRecorder recorder)
    {
        var (handle, partition) = _documents[document];
        var reply = new Reply(recorder, new ClientRequest(startedAt, isWrite, _number, partition));
        if (isWrite)
            handle.MarkDirty(SubKey.Root, reply, Reply.Send);
        else
            handle.SendMessageWhenSafe(reply, Reply.Send);
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
            batch[i].Write(SubKey.Root).Write(_value);
        return default;
    }

    public ValueTask DisposeAsync() => _client?.DisposeAsync() ?? default;

    private LaneLaw NewLaw()
    {
        var law = new LaneLaw();
        _lanes.Add(law);
        return law;
    }

    private readonly record struct Reply(LiveRecorder Recorder, ClientRequest Request)
    {
        public static readonly MessageCallback<Reply> Send = static (reply, release) => reply.Recorder.Answered(reply.Request, release.Failure);
    }
}
