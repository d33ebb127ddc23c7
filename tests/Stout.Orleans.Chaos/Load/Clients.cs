using System.Collections.Concurrent;
using System.Diagnostics;
using Linearizability;
using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Load;

/// <summary>Clients that send requests to random silos, each client one at a time, and record the requests and answers.</summary>
internal sealed class Clients(ChaosCluster cluster, RegisterPool documents, Observations observations, HistoryRecorder recorder, int seed)
{
    private readonly ConcurrentQueue<string> _errors = [];
    private readonly ClientCounts _counts = new();
    private volatile TaskCompletionSource _choicesChanged = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile ChaosSilo? _avoided;
    private volatile bool _usesOther;
    private long _lastValue;

    /// <summary>The requests that have ended.</summary>
    public RequestCount Requests { get; } = new();

    public ClientCounts Counts => _counts;

    /// <summary>Errors that no caller should see.</summary>
    public IReadOnlyCollection<string> Errors => _errors;

    public Observations Observations => observations;

    /// <summary>A silo that gets no new requests.</summary>
    public ChaosSilo? Avoided
    {
        set
        {
            _avoided = value;
            NoteChoices();
        }
    }

    /// <summary>Whether the second cluster gets requests too.</summary>
    public bool UsesOther
    {
        set
        {
            _usesOther = value;
            NoteChoices();
        }
    }

    public async Task RunAsync(int clients, CancellationToken stop)
    {
        foreach (var silo in cluster.Silos)
            silo.Joined += NoteChoices;
        await using var stopping = stop.Register(NoteChoices);
        await Task.WhenAll(Enumerable.Range(0, clients).Select(client => Task.Run(() => RunClientAsync(client, stop), CancellationToken.None)));
    }

    /// <summary>Writes a new value of a document through a silo.</summary>
    /// <param name="silo">The silo.</param>
    /// <param name="document">The document.</param>
    /// <param name="asked">The earliest time at which the silo can have got the request; null for the time of this call.</param>
    public Task<SiloAnswer?> WriteAsync(ChaosSilo silo, string document, Task<long>? asked = null) =>
        AskAsync(silo, "fault", new SiloRequest(0, RequestKind.Write) { Document = document, Value = NewValue() }, asked);

    /// <summary>The documents in use whose grains were last seen on a silo.</summary>
    public IReadOnlyList<string> DocumentsOn(ChaosSilo silo) => observations.On(silo.Name, documents.All.TakeLast(4 * DocumentKinds.Count));

    private async Task RunClientAsync(int client, CancellationToken stop)
    {
        var random = new Random((seed * 1_000) + client);
        while (true)
        {
            // The task is taken before the checks, so that a change after a check completes the task.
            var changed = _choicesChanged.Task;
            if (stop.IsCancellationRequested)
                return;
            var document = documents.Draw(random).Key;
            if (Choose(client, document, random) is { } silo)
                await AskAsync(silo, $"client {client}", Draw(random, document));
            else
                await changed;
        }
    }

    /// <summary>Has clients without a silo choose again, since the silos that they may ask have changed, or since they have to stop.</summary>
    private void NoteChoices() =>
        Interlocked.Exchange(ref _choicesChanged, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).SetResult();

    /// <summary>
    /// Chooses a silo for a client's request. Each client uses all silos but one, which differs between the clients. So while a silo is suspended, some
    /// clients go on. Null while all silos of the client are down.
    /// </summary>
    private ChaosSilo? Choose(int client, string document, Random random)
    {
        if (_usesOther && DocumentKinds.IsShared(document) && random.Next(3) == 0)
            return cluster.Other;
        var silos = cluster.Silos;
        var mine = silos.Count - 1;
        var first = random.Next(mine);
        for (var i = 0; i < mine; i++)
        {
            var silo = silos[(client + ((first + i) % mine)) % silos.Count];
            if (silo.IsRunning && !ReferenceEquals(silo, _avoided))
                return silo;
        }

        return null;
    }

    private SiloRequest Draw(Random random, string document)
    {
        var kind = random.Next(100) switch
        {
            < 30 => RequestKind.Read,
            < 60 => RequestKind.Look,
            < 78 => RequestKind.Write,
            < 96 => RequestKind.WriteAndGoOn,
            _ => DocumentKinds.IsShared(document) ? RequestKind.Look : RequestKind.Arm,
        };
        return new SiloRequest(0, kind) { Document = document, Value = kind is RequestKind.Read or RequestKind.Look ? null : NewValue() };
    }

    private string NewValue() => FormattableString.Invariant($"{Interlocked.Increment(ref _lastValue)}");

    private async Task<SiloAnswer?> AskAsync(ChaosSilo silo, string client, SiloRequest request, Task<long>? asked = null)
    {
        var (document, value) = (request.Document, request.Value);
        var isConfirmed = request.Kind == RequestKind.Read || DocumentKinds.TypeOf(document) == DocumentKinds.Confirming;
        long? id = value is not null ? recorder.Invoke(client, document, OperationKind.Write, value)
            : isConfirmed ? recorder.Invoke(client, document, OperationKind.Read)
            : null;
        if (value is not null)
            observations.AddWrite(document, value, Outcome.Unknown);
        var invoked = Stopwatch.GetTimestamp();
        var answer = await silo.AskAsync(request);
        if (asked is not null)
            invoked = await asked;
        if (answer is { Outcome: Outcome.Done, View: { } view })
        {
            if (id is not null)
                recorder.Return(id.Value, view.Value);
            observations.Add(new Observation(document, value, view, isConfirmed, invoked, Stopwatch.GetTimestamp()));
        }
        else if (answer is { Outcome: Outcome.NotDone } && id is not null && request.Kind != RequestKind.Arm)
        {
            recorder.Fail(id.Value);
        }
        else if (value is not null)
        {
            // The outcome is unknown. For a value that a grain writes at its deactivation, the outcome stays unknown.
            documents.NoteUnknown(document);
        }

        if (value is not null && request.Kind != RequestKind.Arm)
            observations.AddWrite(document, value, answer?.Outcome ?? Outcome.Unknown);
        if (answer is { Outcome: Outcome.Fault })
            _errors.Enqueue(answer.Error!);
        _counts.Add(request.Kind, answer);
        Requests.Add();
        return answer;
    }
}
