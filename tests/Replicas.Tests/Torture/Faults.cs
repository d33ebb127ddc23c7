using System.Globalization;
using Stout.Tests.Shared;

namespace Replicas.Tests.Torture;

/// <summary>Kills, stops and suspends replicas, and kills the database server, at random points of the run.</summary>
internal sealed class Faults(IReadOnlyList<ReplicaProcess> replicas, ServerScript server, TortureClients clients, Random random)
{
    private int _kills;
    private int _stops;
    private int _suspensions;
    private int _serverKills;

    /// <summary>Causes faults, one after the other.</summary>
    /// <param name="faults">The number of faults.</param>
    /// <param name="between">The mean number of requests between two faults.</param>
    public async Task RunAsync(int faults, int between)
    {
        for (var fault = 0; fault < faults; fault++)
        {
            await clients.AnsweredAsync(random.Next(between / 2, between * 3 / 2));
            var replica = replicas[random.Next(replicas.Count)];
            switch (random.Next(10))
            {
                case < 6:
                    _kills++;
                    await replica.KillAsync();
                    await replica.StartAsync();
                    break;
                case < 8:
                    _stops++;
                    await replica.StopAsync();
                    await replica.StartAsync();
                    break;
                case < 9:
                    _suspensions++;
                    replica.Suspend();
                    clients.Avoided = replica;
                    await clients.AnsweredAsync(between / 4);
                    clients.Avoided = null;
                    replica.Resume();
                    break;
                default:
                    _serverKills++;
                    await server.KillAsync();
                    await server.StartAsync();
                    break;
            }
        }
    }

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture, $"replicas killed {_kills}, stopped {_stops}, suspended {_suspensions}; server killed {_serverKills}");
}
