using Microsoft.Extensions.Logging;
using Stout.Diagnostics;

namespace Stout.Documents;

/// <summary>
/// Logs each type of collections whose values are mutable, with the member that makes them so. It logs in development: where
/// <see cref="DocumentStoreOptions.RoundTripCheck"/> checks values.
/// </summary>
internal sealed class MutableTypeLog(DocumentStoreOptions options)
{
    private readonly ILogger? _logger = options.RoundTripCheck == RoundTripCheck.Never ? null : ClientTelemetry.LoggerOf(options.Stout.Diagnostics);
    private readonly HashSet<Type> _reported = [];

    /// <summary>Reports the type of a collection's parts, once. Not thread-safe.</summary>
    public void Report<T>(IPartSerializer<T> serializer)
        where T : class
    {
        if (serializer is JsonPartSerializer<T> { Obstacle: { Length: > 0 } obstacle } && _logger is not null && _reported.Add(typeof(T)))
            _logger.MutableType(options.Stout.Diagnostics.ClientName, typeof(T).Name, obstacle);
    }
}
