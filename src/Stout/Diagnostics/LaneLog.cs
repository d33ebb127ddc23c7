using Microsoft.Extensions.Logging;
using Stout.Lanes.Core;
using Stout.Pacing;

namespace Stout.Diagnostics;

/// <summary>
/// One lane's log: state changes, and rate-limited reports of repeated events. A failing store may fail a million keys at once, which must not flood
/// the log.
/// </summary>
internal sealed class LaneLog(ILogger logger, string client, int partition, TimeProvider time)
{
    private readonly ReportPacer _keysFailed = new(time);
    private readonly ReportPacer _unknown = new(time);
    private readonly ReportPacer _gaveUp = new(time);
    private readonly ReportPacer _threw = new(time);
    private readonly ReportPacer _slow = new(time);
    private readonly ReportPacer _hung = new(time);
    private StoreRequestOutcome _store = StoreRequestOutcome.Answered;
    private long _troubles;
    private bool _isAdmissionOpen = true;

    public void RequestAnswered(StoreRequestOutcome outcome, Exception? error)
    {
        if (outcome != StoreRequestOutcome.Answered)
            _troubles++;
        if (outcome == _store)
            return;
        _store = outcome;
        switch (outcome)
        {
            case StoreRequestOutcome.Answered:
                logger.StoreRecovered(client, partition, _troubles);
                _troubles = 0;
                break;
            case StoreRequestOutcome.Overloaded:
                logger.StoreOverloaded(error, client, partition);
                break;
            case StoreRequestOutcome.Unreachable:
                logger.StoreUnreachable(error, client, partition);
                break;
            default:
                logger.StoreSilent(error, client, partition);
                break;
        }
    }

    public void KeyFailed(PartitionKey key, StoutException failure)
    {
        if (logger.IsEnabled(LogLevel.Debug))
            logger.KeyFailed(failure, client, partition, key.Text, TelemetryNames.Of(failure));
        if (!logger.IsEnabled(LogLevel.Warning))
            return;
        switch (failure)
        {
            case OutcomeUnknownException:
                if (_unknown.Note() is > 0 and var unknown)
                    logger.OutcomeUnknown(failure.InnerException, client, partition, unknown);
                break;
            case NotAppliedException { Reason: NotAppliedReason.StoreUnreachable }:
                if (_gaveUp.Note() is > 0 and var gaveUp)
                    logger.GaveUp(failure.InnerException, client, partition, gaveUp);
                break;
            default:
                if (_keysFailed.Note() is > 0 and var failed)
                    logger.KeysFailed(failure.InnerException, client, partition, failed, TelemetryNames.Of(failure));
                break;
        }
    }

    public void AdmissionIs(bool open, LaneCore core)
    {
        if (open == _isAdmissionOpen)
            return;
        _isAdmissionOpen = open;
        if (open)
        {
            logger.OverloadEnded(client, partition);
            return;
        }

        var now = core.GetStatistics();
        logger.OverloadBegun(client, partition, now.DirtyKeys, now.UndurableBytes, now.WaitingMessages);
    }

    public void CallbackThrew(Exception error)
    {
        if (_threw.Note() is > 0 and var errors)
            logger.CallbackThrew(error, client, partition, errors);
    }

    public void CallbackIsSlow(int keys)
    {
        if (_slow.Note() is > 0 and var callbacks)
            logger.CallbackSlow(client, partition, callbacks, keys);
    }

    public void CallbackHangs(int keys)
    {
        if (_hung.Note() is > 0 and var callbacks)
            logger.CallbackHung(client, partition, callbacks, keys);
    }
}
