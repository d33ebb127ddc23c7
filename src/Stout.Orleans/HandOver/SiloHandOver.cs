using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Runtime;

namespace Stout.Orleans.HandOver;

/// <summary>
/// Hands the grains over when the silo stops gracefully. It begins before Orleans' own stop, so the silo still takes calls, and other silos' directories still
/// know its grains.
/// </summary>
internal sealed class SiloHandOver(
    Cordon cordon,
    CordonClient others,
    HandOverMembers members,
    HandOverTelemetry telemetry,
    ISiloStatusOracle statuses,
    IClusterManifestProvider manifests,
    IOptions<HostOptions> host,
    IServiceProvider services) : ILifecycleParticipant<ISiloLifecycle>
{
    /// <summary>Bounds the wait for the calls of one grain before the next grain begins. The grain follows when its calls have ended.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(250);

    /// <summary>Bounds the wait for another silo's answer that it knows of the stop. Until then it may place grains on this silo, which then move once more.</summary>
    private static readonly TimeSpan TellLimit = TimeSpan.FromSeconds(1);

    /// <summary>Bounds the wait for calls that go on until the silo looks for grains and silos that came meanwhile.</summary>
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    /// <summary>.NET's default for the time of a stop, for hosts without a limit. A call that never ends must not keep the other grains for ever.</summary>
    private static readonly TimeSpan DefaultTimeout = new HostOptions().ShutdownTimeout;

    private readonly TimeProvider _time = services.GetService<TimeProvider>() ?? TimeProvider.System;
    private readonly HashSet<SiloAddress> _told = [];
    private readonly HashSet<SiloAddress> _refusing = [];
    private readonly Dictionary<GrainId, HandOverMember> _begun = [];

    /// <inheritdoc/>
    public void Participate(ISiloLifecycle observer)
    {
        ArgumentNullException.ThrowIfNull(observer);
        observer.Subscribe(nameof(SiloHandOver), ServiceLifecycleStage.Active + 1, static _ => Task.CompletedTask, StopAsync);
    }

    private async Task StopAsync(CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return;
        var start = _time.GetTimestamp();
        var limit = members.Options.TimeShare * (host.Value.ShutdownTimeout is var given && given < TimeSpan.Zero ? DefaultTimeout : given);
        using var deadline = new CancellationTokenSource(limit, _time);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, deadline.Token);
        members.BeginToLeave();
        cordon.Close(statuses.SiloAddress);
        telemetry.Begins(members.All.Count, limit);
        try
        {
            await HandOverAsync(cancellationToken, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            // The grains that are left stop with the silo.
        }

        members.Gate!.Open();
        Count(_time.GetElapsedTime(start));
        // A silo that has just joined may not know of the stop yet. The message implies it.
        await TellAsync(Others(), static (other, silo) => other.LeaveAsync(silo), CancellationToken.None).ConfigureAwait(false);
    }

    private List<SiloAddress> Others() => [.. statuses.GetActiveSilos().Where(silo => !silo.Equals(statuses.SiloAddress))];

    /// <summary>Hands all grains over, also those that came while the first ones left.</summary>
    private async Task HandOverAsync(CancellationToken stop, CancellationToken end)
    {
        while (true)
        {
            // Silos may have joined meanwhile.
            var untold = Others().FindAll(silo => !_told.Contains(silo));
            _told.UnionWith(await TellAsync(untold, static (other, silo) => other.CloseAsync(silo), end).ConfigureAwait(false));
            var next = Next();
            if (next.Count == 0)
            {
                var left = _begun.Values.Select(static member => member.Context.Deactivated).Where(static left => !left.IsCompleted).ToList();
                if (left.Count == 0)
                    return;
                await Task.WhenAll(left).WaitAsync(Interval, _time, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                end.ThrowIfCancellationRequested();
                continue;
            }

            foreach (var member in next)
                _begun[member.Context.GrainId] = member;
            await Parallel.ForEachAsync(
                next,
                new ParallelOptions { MaxDegreeOfParallelism = HandOverMembers.MostGrains, CancellationToken = end },
                (member, _) => LeaveAsync(member, stop, end)).ConfigureAwait(false);
        }
    }

    /// <summary>Has one grain leave, and waits until it has left. The wait ends early if calls of the grain go on.</summary>
    private async ValueTask LeaveAsync(HandOverMember member, CancellationToken stop, CancellationToken end)
    {
        var left = member.LeaveAsync(_time, stop, end);
        await ((Task)Task.WhenAny(left, member.Closed)).WaitAsync(Patience, _time, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (member.Closed.IsCompleted)
            await left.WaitAsync(end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>
    /// The grains that are to leave. Each grain is tried once: if it comes back since no other silo takes it, it stays until the silo stops.
    /// </summary>
    private List<HandOverMember> Next()
    {
        List<SiloAddress> open = [.. statuses.GetActiveSilos().Where(silo => !cordon.IsClosed(silo))];
        var known = manifests.Current.Silos;
        var accepted = open.Select(silo => known.GetValueOrDefault(silo)?.Grains).Where(static grains => grains is not null).ToList();
        return [.. members.All.Where(member =>
            !_begun.ContainsKey(member.Context.GrainId)
            && accepted.Exists(grains => grains!.ContainsKey(ClassOf(member.Context.GrainId.Type))))];
    }

    /// <summary>The type as the manifest has it: without the type arguments of a generic grain.</summary>
    private static GrainType ClassOf(GrainType type) =>
        type.ToString()!.IndexOf('[', StringComparison.Ordinal) is var arguments and > 0 ? GrainType.Create(type.ToString()![..arguments]) : type;

    /// <summary>Tells other silos about this one.</summary>
    /// <returns>The silos that have answered in time.</returns>
    private async Task<List<SiloAddress>> TellAsync(IReadOnlyCollection<SiloAddress> silos, Func<ICordonService, SiloAddress, Task> tell, CancellationToken cancellationToken)
    {
        var answers = silos.Select(silo => (Silo: silo, Answer: tell(others.Of(silo), statuses.SiloAddress))).ToList();
        await Task.WhenAll(answers.Select(static answer => answer.Answer))
            .WaitAsync(TellLimit, _time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellationToken.ThrowIfCancellationRequested();
        foreach (var (silo, answer) in answers)
        {
            if (answer.Exception is { } error && _refusing.Add(silo))
                telemetry.NotTold(error.InnerException!);
        }

        return [.. answers.Where(static answer => answer.Answer.IsCompletedSuccessfully).Select(static answer => answer.Silo)];
    }

    private void Count(TimeSpan time)
    {
        var (handedOver, letGo) = (0, 0);
        foreach (var member in _begun.Values)
        {
            if (!member.Context.Deactivated.IsCompleted)
                letGo++;
            else if (member.IsSent)
                handedOver++;
        }

        var unbegun = members.All.Count(member => !_begun.ContainsKey(member.Context.GrainId));
        telemetry.Ended(handedOver, letGo, _begun.Count - handedOver - letGo + unbegun, time);
    }
}
