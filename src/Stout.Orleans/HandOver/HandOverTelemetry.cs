using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Stout.Orleans.Diagnostics;

namespace Stout.Orleans.HandOver;

/// <summary>The metrics and logs of hand-overs.</summary>
internal sealed class HandOverTelemetry
{
    private readonly ILogger _logger;
    private readonly Counter<long> _grains;

    public HandOverTelemetry(ILoggerFactory loggers, IServiceProvider services)
    {
        _logger = loggers.CreateLogger(StoutOrleansMeter.Name);
        _grains = OrleansTelemetry.MeterOf(services.GetService<IMeterFactory>())
            .CreateCounter<long>(StoutOrleansMeter.HandOvers, "{grain}", "Grains that a stopping silo has handed over, let go or stopped.");
    }

    /// <summary>Logs the begin of a hand-over.</summary>
    public void Begins(int grains, TimeSpan limit) => _logger.HandingOver(grains, limit);

    /// <summary>Logs that another silo does not know that this one stops. It may still place grains here.</summary>
    public void NotTold(Exception error) => _logger.CordonUnknown(error);

    /// <summary>Counts and logs a hand-over.</summary>
    /// <param name="handedOver">The grains that were sent with their states.</param>
    /// <param name="letGo">The grains whose calls, or whose writes, had not ended.</param>
    /// <param name="cold">The grains that stopped without a hand-over.</param>
    /// <param name="time">The time that the hand-over took.</param>
    public void Ended(int handedOver, int letGo, int cold, TimeSpan time)
    {
        Count(handedOver, "handed_over");
        Count(letGo, "let_go");
        Count(cold, "cold");
        _logger.HandedOver(handedOver, letGo, cold, time);
    }

    private void Count(int grains, string outcome)
    {
        if (grains > 0)
            _grains.Add(grains, new KeyValuePair<string, object?>(StoutOrleansMeter.OutcomeTag, outcome));
    }
}
