using Stout.Benchmarks.Throughput;

namespace Stout.Benchmarks.Grains;

/// <summary>
/// Compares grain storages on the PostgreSQL that STOUT_POSTGRES names: Stout's, and Orleans' ADO.NET provider, plain and with prepared statements. Except in
/// the cells recovery and rolling, the silos are in this process, so the processor time of the client is that of silo and callers.
/// </summary>
internal static class OrleansComparison
{
    /// <summary>The cells, in the order in which they run.</summary>
    public static readonly string[] Cells = ["writes-256", "writes-64", "light", "light-busy", "hot", "activations", "confirmed", "recovery", "rolling"];

    /// <param name="comparison">The number of rounds, and the length of a turn.</param>
    /// <param name="cells">The cells to run.</param>
    /// <param name="busy">The number of loops that keep processors busy in the cell light-busy.</param>
    public static async Task RunAsync(Comparison comparison, IReadOnlyCollection<string> cells, int busy)
    {
        var figures = new Figures();
        await using (var database = await OrleansDatabase.CreateAsync())
        {
            if (cells.Any(cell => cell is not ("recovery" or "rolling")))
            {
                await using var silos = await ComparedSilos.StartAsync(database);
                await silos.WarmUpAsync();
                var measured = comparison.With(() => silos.Server.Used);
                foreach (var cell in Cells.Where(cells.Contains))
                {
                    var run = cell switch
                    {
                        "writes-256" => StorageCells.WritesAsync(measured, silos, figures, cell, 256),
                        "writes-64" => StorageCells.WritesAsync(measured, silos, figures, cell, 64),
                        "light" => LightCell.RunAsync(comparison, database, figures, cell, 0),
                        "light-busy" => LightCell.RunAsync(comparison, database, figures, cell, busy),
                        "hot" => StorageCells.HotAsync(measured, silos, figures, cell),
                        "activations" => StorageCells.ActivationsAsync(measured, silos, figures, cell),
                        "confirmed" => ConfirmedCell.RunAsync(measured, silos, figures, cell),
                        _ => Task.CompletedTask,
                    };
                    await run;
                }
            }

            if (cells.Contains("recovery"))
                await RecoveryCell.RunAsync(database, figures, "recovery", Math.Min(comparison.Rounds, RecoveryCell.MostRounds));
            if (cells.Contains("rolling"))
                await RollingCell.RunAsync(database, figures, "rolling", Math.Min(comparison.Rounds, RollingCell.MostRounds));
        }

        figures.PrintJson();
    }
}
