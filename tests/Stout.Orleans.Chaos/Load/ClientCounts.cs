using System.Collections.Concurrent;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Load;

/// <summary>Counts the requests of all clients by kind and outcome.</summary>
internal sealed class ClientCounts
{
    private readonly ConcurrentDictionary<RequestKind, int> _done = [];
    private int _notDone;
    private int _fenced;
    private int _unknown;

    /// <summary>The number of requests that were refused because a newer owner had the document.</summary>
    public int Fenced => _fenced;

    public void Add(RequestKind kind, SiloAnswer? answer)
    {
        if (answer is { Outcome: Outcome.Done })
            _done.AddOrUpdate(kind, 1, static (_, count) => count + 1);
        else if (answer is { Outcome: Outcome.NotDone })
            Interlocked.Increment(ref _notDone);
        else
            Interlocked.Increment(ref _unknown);
        if (answer is { IsFenced: true })
            Interlocked.Increment(ref _fenced);
    }

    public override string ToString() => FormattableString.Invariant(
        $"{Done(RequestKind.Write) + Done(RequestKind.WriteAndGoOn)} writes, {Done(RequestKind.Read)} confirmed reads and {Done(RequestKind.Look)} reads from memory done, {_notDone} not done ({_fenced} fenced), {_unknown} of unknown outcome");

    private int Done(RequestKind kind) => _done.GetValueOrDefault(kind);
}
