using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;

namespace Stout.Diagnostics;

/// <summary>Where a client reports what it does, and under which name. Hosting fills it from the application's services.</summary>
public sealed record StoutDiagnostics
{
    internal const string DefaultClientName = "default";

    /// <summary>The name of the client in metrics, traces and logs. Not empty. Default: "default".</summary>
    public string ClientName { get; set; } = DefaultClientName;

    /// <summary>Makes the logger, of category "Stout". It must not wait: it is called by the lanes. Default: no logs.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>Makes the meter. Default: one that all such clients of the process share.</summary>
    public IMeterFactory? MeterFactory { get; set; }

    internal void Validate()
    {
        if (string.IsNullOrEmpty(ClientName))
            throw new InvalidOptionException(nameof(ClientName), "it must have a character or more");
    }
}
