using System.Diagnostics;
using System.Globalization;
using Linearizability;
using Replicas.Tests.Torture;
using ReplicaUnderTest;

namespace Replicas.Tests.Expiry;

/// <summary>Clients of registers whose values expire. The clients also set the replicas' clocks. They delete nothing; only sweeps do.</summary>
/// <param name="replicas">The replicas.</param>
/// <param name="keys">The registers.</param>
/// <param name="skew">The largest difference between two clocks. Each clock differs from the machine's by at most half of it.</param>
/// <param name="seed">The seed of all random choices.</param>
internal sealed class ExpiringClients(IReadOnlyList<ReplicaProcess> replicas, RegisterPool keys, TimeSpan skew, int seed) : TortureClients(replicas, seed)
{
    private static readonly TimeSpan MostLife = TimeSpan.FromMilliseconds(1_200);

    private readonly Lock _lock = new();
    private readonly List<Operation> _history = [];

    /// <summary>The operations of all clients.</summary>
    public IReadOnlyList<Operation> History => _history;

    protected override Task AskAsync(ReplicaProcess replica, int client, int number, Random random) =>
        random.Next(50) == 0 ? SetClockAsync(replica, random) : AskAsync(replica, $"client {client}", Draw(random, $"{client}:{number}"));

    protected override async Task AskAsync(ReplicaProcess replica, string client, Request request)
    {
        var operation = new Operation
        {
            Client = client,
            Key = request.Key,
            Kind = request.Kind switch { RequestKind.Read => OperationKind.Read, RequestKind.Write => OperationKind.Write, _ => OperationKind.Change },
            Expected = request.Expected,
            Value = request.Value,
            ExpiresAt = request.Value is { } value ? ExpiringValue.ExpiryOf(value) : Operation.Never,
            Invoked = Stopwatch.GetTimestamp(),
        };
        var answer = await replica.AskAsync(request);
        switch (answer?.Outcome)
        {
            case Outcome.Done:
                Record(operation with { Returned = Stopwatch.GetTimestamp(), Seen = answer.Seen, TellsSeen = true, Least = answer.Least, Greatest = answer.Greatest });
                var isWritten = operation.Kind == OperationKind.Write || (operation.Kind == OperationKind.Change && answer.Seen == request.Expected);
                keys.NoteValue(request.Key, isWritten ? request.Value : answer.Seen);
                break;
            case not Outcome.NotDone when operation.Kind != OperationKind.Read:
                // `Greatest` is the latest time that the replica's clock can have shown.
                Record(operation with { Greatest = (MachineClock.Now + (skew / 2)).UtcTicks });
                keys.NoteUnknown(request.Key);
                break;
        }

        CountAnswer(answer);
    }

    private Request Draw(Random random, string name)
    {
        var (key, lastSeen) = keys.Draw(random);
        var life = random.NextDouble() * MostLife;
        var value = ExpiringValue.Of(name, random.Next(10) == 0 ? ExpiringValue.Never : (MachineClock.Now + life).UtcTicks);
        return random.Next(100) switch
        {
            < 40 => new Request(0, RequestKind.Read, key),
            < 75 => new Request(0, RequestKind.Change, key, value, lastSeen, Throws: random.Next(2) == 0),
            _ => new Request(0, RequestKind.Write, key, value),
        };
    }

    private async Task SetClockAsync(ReplicaProcess replica, Random random)
    {
        var offset = (random.Next(3) - 1) * skew / 2;
        CountAnswer(await replica.AskAsync(new Request(0, RequestKind.SetClock, "", offset.Ticks.ToString(CultureInfo.InvariantCulture))));
    }

    private void Record(Operation operation)
    {
        lock (_lock)
            _history.Add(operation);
    }
}
