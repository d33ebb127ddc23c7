using System.ComponentModel.DataAnnotations;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace Stout.Diagnostics;

/// <summary>The name and the destinations of a client's metrics, traces and logs. Hosting sets them from the application's services.</summary>
public sealed record StoutDiagnostics
{
    internal const string DefaultClientName = "default";

    /// <summary>
    /// The client's name in metrics, traces and logs: 1 to 100 characters without <c>=</c> and <c>;</c>, so that a connection string is not accepted.
    /// Default: "default".
    /// </summary>
    [Required, RegularExpression("[^=;]{1,100}", ErrorMessage = "it must be 1 to 100 characters without = and ;")]
    public string ClientName { get; set; } = DefaultClientName;

    /// <summary>Creates the logger of category "Stout". Lanes call the logger, so it must not block. Default: no logs.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>Creates the meter. Default: one meter, shared by all clients of the process without a factory.</summary>
    public IMeterFactory? MeterFactory { get; set; }

    /// <summary>The diagnostics of a client whose logs and metrics go to those of an application.</summary>
    /// <param name="services">The application's services. Without a logger factory there are no logs, without a meter factory the process-wide meter is used.</param>
    /// <param name="clientName">The client's name; empty for the default.</param>
    public static StoutDiagnostics Of(IServiceProvider services, string clientName)
    {
        ArgumentNullException.ThrowIfNull(services);
        return new StoutDiagnostics
        {
            ClientName = string.IsNullOrEmpty(clientName) ? DefaultClientName : clientName,
            LoggerFactory = services.GetService<ILoggerFactory>(),
            MeterFactory = services.GetService<IMeterFactory>(),
        };
    }

    /// <summary>Creates a logger for a proxy's own messages. An exception of the application's logging never fails the proxy.</summary>
    /// <param name="category">The category.</param>
    public ILogger CreateLogger(string category) =>
        LoggerFactory is { } factory ? new GuardedLogger(factory.CreateLogger(category)) : NullLogger.Instance;

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(StoutDiagnostics);
}

[OptionsValidator]
internal sealed partial class StoutDiagnosticsValidator : IValidateOptions<StoutDiagnostics>;
