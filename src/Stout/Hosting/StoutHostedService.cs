using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Stout.Hosting;

/// <summary>
/// Opens a Stout before any hosted service starts, and drains it after all have stopped, including the web server. Services can therefore change
/// objects while they start and stop, in any order of registration.
/// </summary>
internal sealed class StoutHostedService(IServiceProvider services, string name) : IHostedLifecycleService
{
    // Resolved late, since options are validated after this object is created.
    private StoutInstance Instance => services.GetRequiredKeyedService<StoutInstance>(name);

    public Task StartingAsync(CancellationToken cancellationToken) => Instance.OpenAsync(cancellationToken);

    /// <summary>Opens the Stout in a host that does not call <see cref="StartingAsync"/>.</summary>
    public Task StartAsync(CancellationToken cancellationToken) => Instance.OpenAsync(cancellationToken);

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Drains the Stout. When the host's shutdown time-out fires, undurable changes fail.</summary>
    public Task StoppedAsync(CancellationToken cancellationToken) => Instance.StopAsync(cancellationToken);
}
