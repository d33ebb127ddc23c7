namespace Stout.Benchmarks.Grains;

/// <summary>
/// A rolling restart of three silo processes under load, with and without the hand-over: each silo leaves, and then another one takes its place. The callers are
/// in the silos. Those of the leaving silo end before it leaves.
/// </summary>
internal static class RollingCell
{
    public const string HandedOver = "handed over";

    /// <summary>Orleans' default directory also ends grains of other silos: those whose entries the leaving silo had. This directory does not.</summary>
    public const string Distributed = "and other directory";

    /// <summary>Bounds the number of rounds: each round starts twelve processes.</summary>
    public const int MostRounds = 5;

    public const int Grains = 5_000;
    public const int CallersOfSilo = 8;
    private const int CallersOfClient = 8;
    private const int PoolSize = 30;
    private static readonly TimeSpan Steady = TimeSpan.FromSeconds(3);

    public static async Task RunAsync(OrleansDatabase database, Figures figures, string cell, int rounds)
    {
        figures.Begin(cell, $"three silos on Stout restart one by one, {Grains} grains, {CallersOfSilo} callers in each silo, {CallersOfClient} in a client");
        string[] storages = [RecoveryCell.Stout, HandedOver, Distributed];
        var all = storages.ToDictionary(storage => storage, _ => new List<Roll>());
        for (var round = 0; round < rounds; round++)
        {
            foreach (var storage in round % 2 == 0 ? storages : storages.Reverse())
            {
                await using var cluster = await SiloCluster.StartAsync(storage, database.Connect(PoolSize));
                all[storage].Add(await RollAsync(cluster));
            }
        }

        foreach (var (storage, rolls) in all)
        {
            var isOurs = storage != RecoveryCell.Stout;
            figures.Add(storage, "failed calls of silos", rolls.Select(static roll => (double)roll.Failed), isOurs ? Goal.AtMost(0) : null);
            figures.Add(storage, "failed calls of the client in 100,000", rolls.Select(static roll => roll.FailedOfClient), isOurs ? Goal.AtMost(1) : null);
            figures.Add(storage, "claims of a leave, share of the grains", rolls.Select(static roll => roll.Claims), isOurs ? Goal.AtMost(0.02) : null);
            figures.Add(storage, "resumes of a leave, share of the grains", rolls.Select(static roll => roll.Resumes));
            figures.Add(storage, "p99 while a silo leaves over p99 before", rolls.Select(static roll => roll.Leaving), isOurs ? Goal.AtMost(3) : null);
            figures.Add(storage, "p99 while a silo starts over p99 before", rolls.Select(static roll => roll.Starting));
            figures.Add(storage, "a leave, s", rolls.Select(static roll => roll.Seconds), isOurs ? Goal.AtMost(30) : null);
        }
    }

    private static async Task<Roll> RollAsync(SiloCluster cluster)
    {
        using var over = new CancellationTokenSource();
        var client = new Callers(CallersOfClient, Grains);
        await cluster.ChangeAllAsync(Grains);
        var calling = client.RunAsync(cluster.Client, over.Token);
        await cluster.TakeAsync();
        await Task.Delay(Steady, CancellationToken.None);
        client.Take();
        var figures = new List<(CallFigures Before, CallFigures Leaving, CallFigures Starting, double Seconds)>();
        var (claims, resumes) = (0L, 0L);
        for (var silo = 0; silo < SiloCluster.Size; silo++)
        {
            await cluster.TakeAsync();
            await Task.Delay(Steady, CancellationToken.None);
            var before = await cluster.TakeAsync();
            var seconds = await cluster.LeaveFirstAsync();
            var leaving = await cluster.TakeAsync();
            await cluster.JoinAsync();
            var starting = await cluster.TakeAsync();
            figures.Add((before, leaving, starting, seconds));
            await cluster.ChangeAllAsync(Grains);
            var rest = await cluster.TakeAsync();
            claims += leaving.Claims + starting.Claims + rest.Claims;
            resumes += leaving.Resumes + starting.Resumes + rest.Resumes;
        }

        await over.CancelAsync();
        await calling;
        var (calls, failed, _) = client.Take();
        return new Roll(
            figures.Sum(static one => one.Before.Failed + one.Leaving.Failed + one.Starting.Failed),
            failed * 100_000.0 / calls,
            claims / (double)SiloCluster.Size / Grains,
            resumes / (double)SiloCluster.Size / Grains,
            figures.Max(static one => one.Leaving.P99 / one.Before.P99),
            figures.Max(static one => one.Starting.P99 / one.Before.P99),
            figures.Max(static one => one.Seconds));
    }

    /// <summary>The figures of one rolling restart. Ratios and seconds are those of the worst silo.</summary>
    private sealed record Roll(long Failed, double FailedOfClient, double Claims, double Resumes, double Leaving, double Starting, double Seconds);
}
