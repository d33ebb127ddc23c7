using Microsoft.Extensions.DependencyInjection;
using Orleans.Storage;
using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Silos;

/// <summary>Answers the requests to a silo, most of them by calls of grains.</summary>
internal sealed class SiloRequests(IServiceProvider services)
{
    /// <summary>The longest wait for a call. Orleans has its own time limit for calls, but a call in a silo that has just left may never end.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly IGrainFactory _grains = services.GetRequiredService<IGrainFactory>();
    private readonly DriftingTime _time = services.GetRequiredService<DriftingTime>();

    public async Task<SiloAnswer> AnswerAsync(SiloRequest request)
    {
        try
        {
            return (await RunAsync(request).WaitAsync(Patience)) with { Id = request.Id };
        }
        catch (Exception error)
        {
            var fence = (error as InconsistentStateException)?.InnerException as FencedException;
            return new SiloAnswer(request.Id, OutcomeOf(error)) { IsFenced = fence is not null, Error = error.ToString() };
        }
    }

    private async Task<SiloAnswer> RunAsync(SiloRequest request)
    {
        switch (request.Kind)
        {
            case RequestKind.SetClock:
                _time.Set(request.ClockOffset, request.ClockRate);
                return new SiloAnswer(0, Outcome.Done);
            case RequestKind.IsActive:
                return new SiloAnswer(0, Outcome.Done) { IsActive = IsActive(request.Value!) };
            case RequestKind.Arm:
                await GrainOf(request).ArmAsync(request.Value!);
                return new SiloAnswer(0, Outcome.Done);
            default:
                return new SiloAnswer(0, Outcome.Done) { View = await CallAsync(request) };
        }
    }

    private bool IsActive(string silo)
    {
        var members = services.GetRequiredService<ISiloStatusOracle>();
        return members.GetApproximateSiloStatuses(onlyActive: true).Keys.Any(address => members.TryGetSiloName(address, out var name) && name == silo);
    }

    private Task<View> CallAsync(SiloRequest request) => request.Kind switch
    {
        RequestKind.Write => GrainOf(request).WriteAsync(request.Value!, waitsInside: false),
        RequestKind.WriteAndGoOn => GrainOf(request).WriteAsync(request.Value!, waitsInside: true),
        _ => GrainOf(request).ReadAsync(confirmed: request.Kind == RequestKind.Read),
    };

    private IDocumentGrain GrainOf(SiloRequest request) => _grains.GetGrain<IDocumentGrain>(DocumentKinds.GrainOf(request.Document));

    /// <summary>The outcome of a request, as Stout documents it for the exception. After Orleans' own errors the outcome is unknown.</summary>
    private static Outcome OutcomeOf(Exception error) => error switch
    {
        GrainStateOutcomeUnknownException => Outcome.Unknown,
        InconsistentStateException or GrainStateNotWrittenException or GrainStateNotReadException => Outcome.NotDone,
        OrleansException or TimeoutException or OperationCanceledException or ObjectDisposedException => Outcome.Unknown,
        _ => Outcome.Fault,
    };
}
