using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using Stout.Diagnostics;
using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Hosting;

/// <summary>
/// A store that may be down when the host starts. Opening is retried for <see cref="StoutOptions.WaitAtStart"/>, with growing delays. Each attempt
/// creates a new proxy, since a proxy can be opened only once.
/// </summary>
internal sealed class AwaitedStore(Func<IStorageProxy> create, StoutOptions options, TimeProvider time) : IStorageProxy
{
    private readonly ILogger _logger = ClientTelemetry.LoggerOf(options.Diagnostics);
    private IStorageProxy _store = create();

    public StorageCapabilities Capabilities => _store.Capabilities;

    public StorageLimits Limits => _store.Limits;

    [SuppressMessage("Security", "CA5394", Justification = "The random part of a delay is no secret.")]
    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        var delays = new RetryDelay(options.MinRetryDelay, options.MaxRetryDelay, Random.Shared);
        var began = time.GetTimestamp();
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await _store.OpenAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (StoreException error) when (MayPass(error) && options.WaitAtStart > TimeSpan.Zero)
            {
                var delay = delays.After(attempt, error.RetryAfter);
                if (time.GetElapsedTime(began) + delay > options.WaitAtStart)
                    throw new StoreException(error.Kind, $"The store could not be opened for as long as WaitAtStart allows; the last attempt: {error.Message}", error);
                if (attempt == 1)
                    _logger.StoreNotOpen(error, options.Diagnostics.ClientName);
                await Task.Delay(delay, time, cancellationToken).ConfigureAwait(false);
                await _store.DisposeAsync().ConfigureAwait(false);
                _store = create();
            }
        }
    }

    public ValueTask DisposeAsync() => _store.DisposeAsync();

    // A process that ends, such as the service's former one, holds its lock until its end.
    private static bool MayPass(StoreException error) =>
        error.Kind is StoreErrorKind.Unreachable or StoreErrorKind.Overloaded or StoreErrorKind.Unknown or StoreErrorKind.Locked;
}
