namespace Stout.Benchmarks.Grains;

/// <summary>How soon grains answer again after one of three silo processes was killed, was suspended, or has left.</summary>
internal static class RecoveryCell
{
    public const string Stout = "Stout";
    public const string AdoNet = "ADO.NET";

    /// <summary>Bounds the number of rounds: each round starts twelve processes and takes about a minute.</summary>
    public const int MostRounds = 3;

    /// <summary>The most connections of each process: three silos and a client share the connections of the server.</summary>
    private const int PoolSize = 40;

    public static async Task RunAsync(OrleansDatabase database, Figures figures, string cell, int rounds)
    {
        figures.Begin(cell, "one of three silos goes (probe 1 s, 2 missed, 2 votes): seconds until 300 grains have answered a change");
        string[] storages = [AdoNet, Stout];
        var all = storages.ToDictionary(storage => storage, _ => new List<(double Killed, double Suspended, double Left, double Failed)>());
        for (var round = 0; round < rounds; round++)
        {
            foreach (var storage in round % 2 == 0 ? storages : storages.Reverse())
            {
                await using var cluster = await SiloCluster.StartAsync(storage, database.Connect(PoolSize));
                var (left, failed) = await cluster.LeaveAsync();
                var killed = await cluster.RecoverAsync(static silo => silo.KillAsync());
                var suspended = await cluster.RecoverAsync(static silo => silo.SuspendAsync());
                all[storage].Add((killed, suspended, left, failed));
            }
        }

        foreach (var (storage, times) in all)
        {
            var isOurs = storage == Stout;
            figures.Add(storage, "killed (SIGKILL), s", times.Select(static time => time.Killed), isOurs ? Goal.AtMost(6) : null);
            figures.Add(storage, "suspended (SIGSTOP), s", times.Select(static time => time.Suspended), isOurs ? Goal.AtMost(12) : null);
            figures.Add(storage, "left, s", times.Select(static time => time.Left));
            figures.Add(storage, "left: calls failed after one retry", times.Select(static time => time.Failed), isOurs ? Goal.AtMost(0) : null);
        }
    }
}
