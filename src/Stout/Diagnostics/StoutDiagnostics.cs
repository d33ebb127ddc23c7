using System.ComponentModel.DataAnnotations;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Stout.Diagnostics;

/// <summary>Where a client reports what it does, and under which name. Hosting fills it from the application's services.</summary>
public sealed record StoutDiagnostics
{
    internal const string DefaultClientName = "default";

    /// <summary>
    /// The name of the client in metrics, traces and logs: 1 to 100 characters without <c>=</c> and <c>;</c>, so that no connection string is
    /// taken for a name. Default: "default".
    /// </summary>
    [Required, RegularExpression("[^=;]{1,100}", ErrorMessage = "it must be 1 to 100 characters without = and ;")]
    public string ClientName { get; set; } = DefaultClientName;

    /// <summary>Makes the logger, of category "Stout". It must not wait: it is called by the lanes. Default: no logs.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>Makes the meter. Default: one that all such clients of the process share.</summary>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>The type's name alone: a setting may be a secret.</summary>
    public override string ToString() => nameof(StoutDiagnostics);
}

[OptionsValidator]
internal sealed partial class StoutDiagnosticsValidator : IValidateOptions<StoutDiagnostics>;
