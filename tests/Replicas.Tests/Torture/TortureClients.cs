using Linearizability;
using ReplicaUnderTest;

namespace Replicas.Tests.Torture;

/// <summary>Clients that send requests to random replicas, and count the outcomes. Each client sends one request at a time.</summary>
internal abstract class TortureClients(IReadOnlyList<ReplicaProcess> replicas, int seed)
{
    private readonly Lock _lock = new();
    private readonly RequestCount _requests = new();
    private readonly List<string> _errors = [];
    private long _unknown;
    private long _notDone;
    private volatile ReplicaProcess? _avoided;

    /// <summary>The number of requests that have ended, with any outcome.</summary>
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

    /// <summary>Completes when <paramref name="more"/> more requests have ended.</summary>
    public Task AnsweredAsync(long more) => _requests.MoreAsync(more);

    public Task RunAsync(int clients, CancellationToken stop) =>
        Task.WhenAll(Enumerable.Range(0, clients).Select(client => Task.Run(() => RunClientAsync(client, stop), CancellationToken.None)));

    /// <summary>Reads a register by a replica, and records the read.</summary>
    public Task ReadAsync(ReplicaProcess replica, string key) => AskAsync(replica, "reader", new Request(0, RequestKind.Read, key));

    /// <summary>Asks a replica once, with a request that the seed chooses.</summary>
    /// <param name="replica">The replica.</param>
    /// <param name="client">The client's number.</param>
    /// <param name="number">The number of the client's request.</param>
    /// <param name="random">The source of the client's random choices.</param>
    protected abstract Task AskAsync(ReplicaProcess replica, int client, int number, Random random);

    /// <summary>Sends a request to a replica, and records the answer.</summary>
    protected abstract Task AskAsync(ReplicaProcess replica, string client, Request request);

    protected void CountAnswer(Answer? answer)
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

    private async Task RunClientAsync(int client, CancellationToken stop)
    {
        var random = new Random((seed * 1_000) + client);
        for (var number = 1; !stop.IsCancellationRequested; number++)
            await AskAsync(Choose(client, random), client, number, random);
    }

    /// <summary>
    /// Chooses a replica for a request. Each client uses all replicas but one, which differs between clients. So some clients go on when a replica is
    /// suspended.
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
}
