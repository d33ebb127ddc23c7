using Linearizability;
using ReplicaUnderTest;

namespace Replicas.Tests.Torture;

/// <summary>Clients of registers and counters. Operations on registers are recorded into a history.</summary>
internal sealed class Clients(IReadOnlyList<ReplicaProcess> replicas, RegisterPool keys, Counters counters, HistoryRecorder recorder, int seed)
    : TortureClients(replicas, seed)
{
    protected override Task AskAsync(ReplicaProcess replica, int client, int number, Random random) => random.Next(10) == 0
        ? AddAsync(replica, random.Next(counters.Count))
        : AskAsync(replica, $"client {client}", Draw(random, $"{client}:{number}"));

    protected override async Task AskAsync(ReplicaProcess replica, string client, Request request)
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

    private async Task AddAsync(ReplicaProcess replica, int counter)
    {
        var answer = await replica.AskAsync(new Request(0, RequestKind.Add, Counters.Key(counter)));
        if (answer is { Outcome: Outcome.Done })
            counters.NoteAcknowledged(counter);
        else if (answer is not { Outcome: Outcome.NotDone })
            counters.NoteUnknown(counter);
        CountAnswer(answer);
    }
}
