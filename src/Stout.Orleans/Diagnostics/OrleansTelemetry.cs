using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;

namespace Stout.Orleans.Diagnostics;

/// <summary>The metrics and logs of one provider.</summary>
internal sealed class OrleansTelemetry
{
    private readonly ILogger _logger;
    private readonly string _provider;
    private readonly KeyValuePair<string, object?> _tag;
    private readonly Counter<long> _claims;
    private readonly Counter<long> _resumes;
    private readonly Counter<long> _losses;
    private readonly Counter<long> _imports;

    public OrleansTelemetry(string provider, ILogger logger, IMeterFactory? meters)
    {
        (_provider, _logger) = (provider, logger);
        _tag = new(StoutOrleansMeter.ProviderTag, provider);
        var meter = MeterOf(meters);
        _claims = meter.CreateCounter<long>(StoutOrleansMeter.Claims, "{claim}", "Grain states that an activation claimed in the store.");
        _resumes = meter.CreateCounter<long>(StoutOrleansMeter.Resumes, "{state}", "Grain states that were reopened at their last version, without a read.");
        _losses = meter.CreateCounter<long>(StoutOrleansMeter.Losses, "{state}", "Grain states that an activation lost: another one owns them, or the outcome of a write is unknown.");
        _imports = meter.CreateCounter<long>(StoutOrleansMeter.Imports, "{state}", "Grain states that were imported from the former storage.");
    }

    private static Meter Shared { get; } = new(StoutOrleansMeter.Name);

    /// <summary>The meter of this package.</summary>
    public static Meter MeterOf(IMeterFactory? meters) => meters?.Create(StoutOrleansMeter.Name) ?? Shared;

    public void Claimed() => _claims.Add(1, _tag);

    /// <summary>Counts a key that was reopened at its last version without a read.</summary>
    public void Resumed() => _resumes.Add(1, _tag);

    /// <summary>Counts an imported state.</summary>
    public void Imported() => _imports.Add(1, _tag);

    /// <summary>Logs that this provider imports states from the former storage from now on.</summary>
    public void Importing(string former) => _logger.Importing(_provider, former);

    /// <summary>Logs that a silo has written a state through the former storage while this provider imported the state.</summary>
    public void FormerChanged(string former) => _logger.FormerChanged(_provider, former);

    /// <summary>Counts and logs a state that has to be read again.</summary>
    public void Lost(StoutException cause)
    {
        switch (cause)
        {
            case FencedException:
                _losses.Add(1, _tag, new(StoutOrleansMeter.ReasonTag, "fenced"));
                _logger.Fenced(_provider);
                break;
            case ConflictException:
                _losses.Add(1, _tag, new(StoutOrleansMeter.ReasonTag, "conflict"));
                _logger.Conflict(_provider);
                break;
            default:
                _losses.Add(1, _tag, new(StoutOrleansMeter.ReasonTag, "unknown"));
                _logger.OutcomeUnknown(_provider);
                break;
        }
    }

    /// <summary>Logs that an activation has ended before the outcome of its changes is known.</summary>
    public void ClosesLate() => _logger.ClosesLate(_provider);

    public void FacetFailed(Exception error) => _logger.FacetFailed(error, _provider);
}
