using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Orleans.TestingHost;
using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Load;
using Stout.Orleans.Chaos.Protocol;
using Stout.Orleans.Chaos.Silos;
using Stout.Testing;

namespace Stout.Orleans.Chaos.Tests;

/// <summary>A place for a silo in this process.</summary>
/// <param name="cluster">The silo's cluster.</param>
/// <param name="storeOf">Returns the proxy through which a running silo, given by its name, uses the store.</param>
internal sealed class SiloInTest(InProcessTestCluster cluster, Func<string, FaultyStore> storeOf) : ChaosSilo
{
    private const int MostAttempts = 30;

    private volatile InProcessSiloHandle? _silo;
    private FaultyStore? _store;
    private SiloRequests? _requests;

    /// <inheritdoc/>
    public override string Name => _silo?.Name ?? "";

    /// <inheritdoc/>
    public override bool IsRunning => _silo is not null;

    /// <summary>The proxy through which the silo uses the store.</summary>
    public FaultyStore Store => _store!;

    /// <inheritdoc/>
    public override async Task StartAsync()
    {
        var silo = await JoinAsync();
        (_requests, _store) = (new SiloRequests(silo.ServiceProvider), storeOf(silo.Name));
        _silo = silo;
        NoteJoined();
    }

    /// <summary>Starts a silo. If it fails to join, since other silos come and go, starts another one.</summary>
    private async Task<InProcessSiloHandle> JoinAsync()
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await cluster.StartAdditionalSiloAsync();
            }
            catch (Exception error) when (attempt < MostAttempts && (error is OperationCanceledException or OrleansException or TimeoutException))
            {
            }
        }
    }

    /// <inheritdoc/>
    public override async Task KillAsync()
    {
        if (Interlocked.Exchange(ref _silo, null) is { } silo)
            await cluster.KillSiloAsync(silo);
    }

    /// <inheritdoc/>
    public override async Task<IReadOnlyList<EndSave>> LeaveAsync()
    {
        if (Interlocked.Exchange(ref _silo, null) is not { } silo)
            return [];
        var saves = silo.ServiceProvider.GetRequiredService<EndSaves>();
        saves.Begin();
        await cluster.StopSiloAsync(silo);
        return saves.All;
    }

    /// <inheritdoc/>
    public override async Task<SiloAnswer?> AskAsync(SiloRequest request) =>
        IsRunning ? await Task.Run(() => _requests!.AnswerAsync(request)) : new SiloAnswer(request.Id, Outcome.NotDone);

    /// <inheritdoc/>
    public override void Cut(bool isCut)
    {
        if (isCut)
            Store.Kill();
        else
            Store.Revive();
    }

    /// <inheritdoc/>
    public override void Delay(TimeSpan delay) => Store.Options = Store.Options with { MaxLatency = delay };
}
