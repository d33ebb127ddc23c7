using Stout.Benchmarks.Throughput;

namespace Stout.Benchmarks.Grains;

/// <summary>The cells that compare storages by calls a second and processor time.</summary>
internal static class StorageCells
{
    public const int Grains = 2_000;
    private const string Plain = "ADO.NET";
    private const string Prepared = "ADO.NET, prepared";
    private const string Journaling = "Journaling, a table";
    private const string Stout = "Stout";
    private const string Facet = "Stout, the facet";

    /// <summary>Measures changes of many grains.</summary>
    public static async Task WritesAsync(Comparison comparison, ComparedSilos silos, Figures figures, string cell, int callers)
    {
        figures.Begin(cell, $"changes of {Grains:N0} grains, {callers} callers");
        var variants = comparison.Anew();
        await AddAsync<AccountGrain>(Plain, silos.Plain);
        await AddAsync<AccountGrain>(Prepared, silos.Prepared);
        await AddAsync<JournalAccountGrain>(Journaling, silos.Journaling);
        await AddAsync<AccountGrain>(Stout, silos.Stout);

        var turns = await variants.MeasureAsync();
        foreach (var (name, each) in turns)
            Add(figures, name, each);
        var isMany = callers > 64;
        AddRates(figures, turns, Stout, Plain, Goal.AtLeast(isMany ? 5 : 3));
        AddRates(figures, turns, Stout, Prepared, isMany ? Goal.AtLeast(3) : null);
        AddRates(figures, turns, Stout, Journaling, null);
        AddRatio(figures, turns, Stout, Plain, "client's processor over", static turn => turn.ProcessorMicroseconds, Goal.AtMost(0.25));
        AddRatio(figures, turns, Stout, Plain, "server's processor over", static turn => turn.ServerMicroseconds, Goal.AtMost(0.1));

        async Task AddAsync<TGrain>(string name, GrainSilo silo)
            where TGrain : IAccountGrain
        {
            await silo.BeginAsync<TGrain>(Grains);
            variants.Add(name, time => silo.CallAsync<TGrain>(Grains, callers, time, static grain => grain.ChangeAsync()));
        }
    }

    /// <summary>Measures changes of one grain whose calls overlap.</summary>
    public static async Task HotAsync(Comparison comparison, ComparedSilos silos, Figures figures, string cell)
    {
        figures.Begin(cell, "changes of one reentrant grain, 64 callers");
        var variants = comparison.Anew();
        variants.Add(Plain, time => silos.Plain.CallAsync<ReentrantAccountGrain>(1, 64, time, static grain => grain.ChangeAsync()));
        variants.Add(Stout, time => silos.Stout.CallAsync<ReentrantAccountGrain>(1, 64, time, static grain => grain.ChangeAsync()));
        variants.Add(Facet, time => silos.Stout.CallAsync<FacetAccountGrain>(1, 64, time, static grain => grain.ChangeAsync()));
        var turns = await variants.MeasureAsync();
        foreach (var (name, each) in turns)
            Add(figures, name, each);
        AddRates(figures, turns, Stout, Plain, Goal.AtLeast(1));
        AddRatio(figures, turns, Stout, Plain, "server's processor over", static turn => turn.ServerMicroseconds, Goal.AtMost(0.7));
        AddRates(figures, turns, Facet, Plain, null);
        AddRatio(figures, turns, Facet, Plain, "server's processor over", static turn => turn.ServerMicroseconds, null);
    }

    /// <summary>Measures activations of grains that have a state. With Stout's storage, each activation claims its key.</summary>
    public static async Task ActivationsAsync(Comparison comparison, ComparedSilos silos, Figures figures, string cell)
    {
        figures.Begin(cell, $"activations and deactivations of {Grains:N0} grains, 64 at once");
        var variants = comparison.Anew();
        foreach (var (name, silo) in new[] { (Plain, silos.Plain), (Stout, silos.Stout) })
        {
            await silo.BeginAsync<AccountGrain>(Grains);
            variants.Add(name, time => silo.ActivateAsync<AccountGrain>(Grains, 64, time));
        }

        var turns = await variants.MeasureAsync();
        foreach (var (name, each) in turns)
            Add(figures, name, each);
        AddRates(figures, turns, Stout, Plain, Goal.AtLeast(0.8));
    }

    /// <summary>Adds the figures of one variant.</summary>
    public static void Add(Figures figures, string variant, IReadOnlyList<Turn> turns)
    {
        figures.Add(variant, "calls/s", turns.Select(static turn => 1e6 / turn.Microseconds));
        figures.Add(variant, "client's processor, µs/call", turns.Select(static turn => turn.ProcessorMicroseconds));
        figures.Add(variant, "client's heap, bytes/call", turns.Select(static turn => turn.Bytes));
        figures.Add(variant, "server's processor, µs/call", turns.Select(static turn => turn.ServerMicroseconds));
    }

    /// <summary>Adds the ratio of the calls per second of one variant to those of another, round by round.</summary>
    public static void AddRates(
        Figures figures, IReadOnlyDictionary<string, IReadOnlyList<Turn>> turns, string variant, string other, Goal? goal) =>
        AddRatio(figures, turns, variant, other, "calls/s over", static turn => 1 / turn.Microseconds, goal);

    private static void AddRatio(
        Figures figures,
        IReadOnlyDictionary<string, IReadOnlyList<Turn>> turns,
        string variant,
        string other,
        string what,
        Func<Turn, double> figure,
        Goal? goal) =>
        figures.Add(variant, $"{what} {other}", turns[variant].Zip(turns[other], (each, first) => figure(each) / figure(first)), goal);
}
