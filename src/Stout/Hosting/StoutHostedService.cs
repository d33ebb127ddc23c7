using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Stout.Hosting;

/// <summary>
/// Opens a Stout before any hosted service starts, and drains it after all have stopped, the web server among them: code that can
/// still change something finds it open, whatever the order of registrations.
/// </summary>
internal sealed class StoutHostedService(IServiceProvider services, string name) : IHostedLifecycleService
{
    // Looked up late: options are checked at start, after this object is made.
    private StoutInstance Instance => services.GetRequiredKeyedService<StoutInstance>(name);

    public Task StartingAsync(CancellationToken cancellationToken) => Instance.OpenAsync(cancellationToken);

    /// <summary>For hosts that know no lifecycle.</summary>
    public Task StartAsync(CancellationToken cancellationToken) => Instance.OpenAsync(cancellationToken);

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Drains; when the host will wait no longer, what is not durable yet fails.</summary>
    public Task StoppedAsync(CancellationToken cancellationToken) => Instance.StopAsync(cancellationToken);
}
