using Microsoft.Extensions.Logging;
using Stout.Storage;

namespace Stout.Diagnostics;

/// <summary>One client's log and meter, from which its lanes' telemetry is created.</summary>
internal sealed class ClientTelemetry(StoutDiagnostics options, TimeProvider time)
{
    private readonly ILogger _logger = LoggerOf(options);
    private readonly StoutMeter _meter = StoutMeter.Of(options.MeterFactory);
    private int _draining;
    private int _aborted;
    private int _drained;

    public static ILogger LoggerOf(StoutDiagnostics options) => options.CreateLogger("Stout");

    /// <summary>The reports of the client's background jobs.</summary>
    public BackgroundReports Background => field ??= new(_logger, _meter, options.ClientName, time);

    public LaneTelemetry ForLane(int partition) =>
        new(_meter, new LaneLog(_logger, options.ClientName, partition, time), options.ClientName, partition);

    public void Opens(IStorageProxy store)
    {
        if (!store.Capabilities.EncryptsTransport)
            _logger.TransportIsOpen(options.ClientName);
    }

    public void EpochsRaised(long epoch) => _logger.EpochsRaised(options.ClientName, epoch);

    public void Opened(int partitions) => _logger.Opened(options.ClientName, partitions);

    /// <summary>Reports waits for the thread pool; null with a simulated clock.</summary>
    public PoolWatch? WatchPool() => PoolWatch.OfProcess(time, seconds => _logger.ThreadPoolBusy(options.ClientName, seconds, ThreadPool.ThreadCount, ThreadPool.PendingWorkItemCount));

    public void DrainBegins(in StoutStatistics now)
    {
        if (Interlocked.Exchange(ref _draining, 1) == 0)
            _logger.DrainBegun(options.ClientName, now.DirtyKeys, now.WaitingMessages);
    }

    public void DrainIsCutOff(in StoutStatistics now)
    {
        if (Volatile.Read(ref _drained) == 0 && Interlocked.Exchange(ref _aborted, 1) == 0)
            _logger.DrainAborted(options.ClientName, now.DirtyKeys, now.WaitingMessages);
    }

    public void DrainEnds(in StoutStatistics now)
    {
        if (Interlocked.Exchange(ref _drained, 1) == 0)
            _logger.DrainEnded(options.ClientName, now.Changes, now.KeysWritten, now.WriteRequests, now.KeysFailed);
    }
}
