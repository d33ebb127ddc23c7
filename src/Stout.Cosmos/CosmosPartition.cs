using Microsoft.Azure.Cosmos;
using Stout.Cosmos.Diagnostics;
using Stout.Cosmos.Reading;
using Stout.Cosmos.Requests;
using Stout.Cosmos.Writing;
using Stout.Storage;

namespace Stout.Cosmos;

/// <summary>One store partition: a logical partition of a container, with its sweeper.</summary>
internal sealed class CosmosPartition : IStorePartition, IAsyncDisposable
{
    private readonly EpochFloor _floor;
    private readonly BatchWriter _writer;
    // The numbers of dead generations at which a sweep starts, and at which writes wait for it. A generation left to the sweeper usually has more than 40
    // parts: smaller ones are deleted in the transaction that replaces them.
    private const int DueGenerations = 16;
    private const int MostGenerations = 64;

    private readonly KeyReader _reader;
    private readonly KeyLister _lister;
    private readonly List<BackgroundJob> _jobs;

    public CosmosPartition(Container container, int partition, CosmosOptions options, RequestUnits units, TimeProvider time)
    {
        var key = PartitionRequests.PartitionKeyOf(partition);
        Requests = new PartitionRequests(container, partition, "write", new StoreCalls(options.Calls, CosmosErrors.Classify, time), units);
        var sweeper = new Sweeper(Requests.For("sweep"), options.Sweeping);
        var interval = options.Sweeping.Interval;

        // Another process may have left work, but each check costs request units. So the first sweeps of the partitions are spread over the second interval.
        var first = interval + (interval * partition / options.Partitions);
        Sweeps = new SweepBacklog(time, interval, DueGenerations, MostGenerations, (_, token) => sweeper.SweepAsync(Sweeps!.Job, token), first);
        _jobs = [Sweeps.Job];
        _floor = new FloorItem(Requests.For("claim"), key, options.Sweeping.Retention, time);
        _writer = new BatchWriter(Requests, key, CosmosLimits.For(options), _floor, NoteGarbage);

        void NoteGarbage(int generations)
        {
            if (generations == 0)
                return;
            sweeper.NoteGarbage();
            Sweeps.Add(generations);
        }

        _reader = new KeyReader(Requests.For("read"), _floor, new KeyClaimer(Requests.For("claim"), _floor, key, options.Sweeping.Retention));
        _lister = new KeyLister(Requests.For("list"));
    }

    /// <summary>The partition's requests, for writes and set-up.</summary>
    public PartitionRequests Requests { get; }

    public IReadOnlyList<BackgroundJob> BackgroundJobs => _jobs;

    /// <summary>The dead generations that writes of this process have left, and their sweeps.</summary>
    public SweepBacklog Sweeps { get; }

    /// <summary>Adds a job of the container, before the store is open. The container's first partition reports it.</summary>
    public void Add(BackgroundJob job) => _jobs.Add(job);

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        await Sweeps.KeepUpAsync(cancellationToken).ConfigureAwait(false);
        await _writer.WriteAsync(batch, cancellationToken).ConfigureAwait(false);
    }

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);

        // Each key is a point read, which costs 1 request unit. One query for all keys would cost 3 request units for each, and take as long.
        return new(Task.WhenAll(Enumerable.Range(0, batch.Count).Select(ReadOneAsync)));

        async Task ReadOneAsync(int index) =>
            batch.SetOutcome(index, await _reader.ReadAsync(batch[index], batch, cancellationToken).ConfigureAwait(false));
    }

    public ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) => _floor.RaiseAllAsync(epoch, cancellationToken);

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => _lister.ListAsync(listing, cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await Sweeps.DisposeAsync().ConfigureAwait(false);
        _floor.Dispose();
    }
}
