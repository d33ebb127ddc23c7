using Authors.Editing;
using Stout.Experiments.Experiments;
using Stout.Experiments.Live.Editing;
using Stout.Experiments.Live.Stores;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Live;

/// <summary>Runs scenarios on a real store, one at a time. Middle tiers stay open from one run to the next if both runs need equal ones.</summary>
internal sealed class LiveRunner(IRealStore store, TimeProvider time) : IRunner
{
    private LiveService? _service;

    public int Parallel => 1;

    public async Task<RunFigures> RunAsync(Scenario scenario, CancellationToken cancellationToken)
    {
        var service = await ServiceForAsync(ServiceShape.Of(scenario), cancellationToken);
        try
        {
            return await LiveRun.RunAsync(service, scenario, time, cancellationToken);
        }
        catch
        {
            // Requests that still wait in the old service would disturb the next run.
            await CloseAsync();
            throw;
        }
    }

    public Task<EditingFigures> ReplayAsync(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings settings, CancellationToken cancellationToken) =>
        LiveReplay.RunAsync(store, histories, scenario, settings, time, cancellationToken);

    public async ValueTask DisposeAsync() => await CloseAsync();

    private async Task<LiveService> ServiceForAsync(ServiceShape shape, CancellationToken cancellationToken)
    {
        if (_service is not null && _service.Shape == shape)
            return _service;
        await CloseAsync();
        return _service = await LiveService.OpenAsync(store, shape, cancellationToken);
    }

    private async Task CloseAsync()
    {
        var service = _service;
        _service = null;
        if (service is not null)
            await service.DisposeAsync();
    }
}
