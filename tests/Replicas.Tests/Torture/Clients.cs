using Linearizability;
using ReplicaUnderTest;

namespace Replicas.Tests.Torture;

/// <summary>Clients that ask replicas at random, one request at a time each, and record what they ask and hear.</summary>
internal sealed class Clients(IReadOnlyList<ReplicaProcess> replicas, RegisterPool keys, Counters counters, HistoryRecorder recorder, int seed)
{
    private readonly Lock _lock = new();
    private readonly RequestCount _requests = new();
    private readonly List<string> _errors = [];
    private long _unknown;
    private long _notDone;
    private volatile ReplicaProcess? _avoided;

    /// <summary>Requests that have ended, with any outcome.</summary>
    public long Answered => _requests.Ended;

    public long Unknown => Interlocked.Read(ref _unknown);

    public long NotDone => Interlocked.Read(ref _notDone);

    /// <summary>Errors that no caller should see.</summary>
    public IReadOnlyList<string> Errors => _errors;

    /// <summary>A replica that gets no new requests.</summary>
    public ReplicaProcess? Avoided
    {
        set => _avoided = value;
    }

    /// <summary>Completes once so many more requests have ended.</summary>
    public Task AnsweredAsync(long more) => _requests.MoreAsync(more);

    public Task RunAsync(int clients, CancellationToken stop) =>
        Task.WhenAll(Enumerable.Range(0, clients).Select(client => Task.Run(() => RunClientAsync(client, stop), CancellationToken.None)));

    /// <summary>Reads a register by a replica, for the record.</summary>
    public Task ReadAsync(ReplicaProcess replica, string key) => AskAsync(replica, "reader", new Request(0, RequestKind.Read, key));

    private async Task RunClientAsync(int client, CancellationToken stop)
    {
        var random = new Random((seed * 1_000) + client);
        for (var number = 1; !stop.IsCancellationRequested; number++)
        {
            var replica = Choose(client, random);
            if (random.Next(10) == 0)
                await AddAsync(replica, random.Next(counters.Count));
            else
                await AskAsync(replica, $"client {client}", Draw(random, $"{client}:{number}"));
        }
    }

    /// <summary>
    /// Each client asks all replicas but one, which differs from client to client: when a replica stands still, some clients go on for certain.
    /// </summary>
    private ReplicaProcess Choose(int client, Random random)
    {
        var mine = replicas.Count - 1;
        var first = random.Next(mine);
        for (var i = 0; i < mine; i++)
        {
            var replica = replicas[(client + ((first + i) % mine)) % replicas.Count];
            if (replica.IsRunning && !ReferenceEquals(replica, _avoided))
                return replica;
        }

        throw new InvalidOperationException("No replica runs: one has ended by itself.");
    }

    private Request Draw(Random random, string value)
    {
        var (key, lastSeen) = keys.Draw(random);
        return random.Next(100) switch
        {
            < 40 => new Request(0, RequestKind.Read, key),
            < 70 => new Request(0, RequestKind.Change, key, value, lastSeen, Throws: random.Next(2) == 0),
            < 75 => new Request(0, RequestKind.Write, key, Value: null),
            _ => new Request(0, RequestKind.Write, key, value),
        };
    }

    private async Task AskAsync(ReplicaProcess replica, string client, Request request)
    {
        var kind = request.Kind switch { RequestKind.Read => OperationKind.Read, RequestKind.Write => OperationKind.Write, _ => OperationKind.Change };
        var id = recorder.Invoke(client, request.Key, kind, request.Value, request.Expected);
        var answer = await replica.AskAsync(request);
        switch (answer?.Outcome)
        {
            case Outcome.Done:
                recorder.Return(id, answer.Seen);
                var isWritten = kind == OperationKind.Write || (kind == OperationKind.Change && answer.Seen == request.Expected);
                keys.NoteValue(request.Key, isWritten ? request.Value : answer.Seen);
                break;
            case Outcome.NotDone:
                recorder.Fail(id);
                break;
            default:
                if (kind != OperationKind.Read)
                    keys.NoteUnknown(request.Key);
                break;
        }

        CountAnswer(answer);
    }

    private async Task AddAsync(ReplicaProcess replica, int counter)
    {
        var answer = await replica.AskAsync(new Request(0, RequestKind.Add, Counters.Key(counter)));
        if (answer is { Outcome: Outcome.Done })
            counters.NoteAcknowledged(counter);
        else if (answer is not { Outcome: Outcome.NotDone })
            counters.NoteUnknown(counter);
        CountAnswer(answer);
    }

    private void CountAnswer(Answer? answer)
    {
        if (answer is null or { Outcome: Outcome.Unknown })
            Interlocked.Increment(ref _unknown);
        if (answer is { Outcome: Outcome.NotDone })
            Interlocked.Increment(ref _notDone);
        if (answer is { Outcome: Outcome.Fault })
        {
            lock (_lock)
                _errors.Add(answer.Error!);
        }

        _requests.Add();
    }
}
