using System.CommandLine;
using System.Globalization;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;
using Stout.Benchmarks.Grains;
using Stout.Benchmarks.Peers;
using Stout.Benchmarks.Stores;
using Stout.Benchmarks.Throughput;

namespace Stout.Benchmarks;

/// <summary>
/// Two kinds of measurement: micro-benchmarks by BenchmarkDotNet (<c>micro --filter *</c>), and throughput comparisons, whose
/// variants are run in turn within one run and whose results are ratios.
/// </summary>
internal static class Program
{
    /// <summary>
    /// BenchmarkDotNet builds a program of its own, without this project's settings. SqlClient needs cultures, so this configuration turns them on in that
    /// program too.
    /// </summary>
    private static IConfig WithCultures =>
        DefaultConfig.Instance.AddJob(Job.Default.WithArguments([new MsBuildArgument("/p:InvariantGlobalization=false")]).AsMutator());

    private static int Main(string[] args)
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        var rounds = new Option<int>("--rounds") { Description = "Alternated rounds of each variant.", DefaultValueFactory = _ => 7, Recursive = true };
        var seconds = new Option<double>("--seconds") { Description = "Length of each variant's turn.", DefaultValueFactory = _ => 2, Recursive = true };
        var root = new RootCommand("Measures Stout.") { rounds, seconds };
        Add("hotpath", "Changes and messages per second of one lane on an instant store; under taskset -c 0 per core.", HotPath.RunAsync);
        Add("typed", "Changes per second of the typed layer on an instant store, beside the base layer.", TypedUpdates.RunAsync);
        Add("sqlite", "Durable writes per second: through Stout, by hand-written 64-row transactions, by one transaction per write.", SqliteWrites.RunAsync);
        Add("onewriter", "What Stout adds to a lone write, beside a direct transaction.", OneWriter.RunAsync);
        Add("store", "Durable writes on the stores that STOUT_POSTGRES … name, beside one request a write with the plain client; what each takes on the heap and on the wire.", StoreWrites.RunAsync);
        Add("holding", "What holding replies costs: throughput at saturation beside the same writes without replies.", Holding.RunAsync);

        var writers = new Option<int[]>("--writers") { Description = "The numbers of writers.", DefaultValueFactory = _ => [1, 64, 512], AllowMultipleArgumentsPerToken = true };
        var only = new Option<string[]>("--only") { Description = "The peers to run beside Stout, by their names.", AllowMultipleArgumentsPerToken = true };
        var records = new Option<int?>("--records-per-writer") { Description = "The records of each writer; without it, all writers share 10,000." };
        var size = new Option<int>("--size") { Description = "The least bytes of a record's JSON, which has some 90 by itself." };
        var peers = new Command("peers", "The typed layer beside what one would use in its place, each write durable before its reply: hand-written writers, RocksDB, FasterLog, Redis; Npgsql and Marten on PostgreSQL.") { writers, only, records, size };
        peers.SetAction(async (parsed, _) => await PeerComparison.RunAsync(
            new Comparison(parsed.GetValue(rounds), TimeSpan.FromSeconds(parsed.GetValue(seconds))),
            new PeerWriters(parsed.GetValue(records), parsed.GetValue(size)),
            parsed.GetValue(writers)!,
            parsed.GetValue(only)!));
        root.Add(peers);

        var busy = new Option<int>("--busy") { Description = "Loops that keep processors busy meanwhile." };
        var coldStart = new Command("coldstart", "What the law Delay costs one writer, in its first 30 writes of a fresh process and then for --seconds, beside no batching; on SQLite and the stores that STOUT_POSTGRES … name.") { busy };
        coldStart.SetAction(async (parsed, _) => await ColdStart.RunAsync(parsed.GetValue(rounds), TimeSpan.FromSeconds(parsed.GetValue(seconds)), parsed.GetValue(busy)));
        root.Add(coldStart);
        var cells = new Option<string[]>("--cells") { Description = "The cells to run.", DefaultValueFactory = _ => OrleansComparison.Cells, AllowMultipleArgumentsPerToken = true };
        cells.AcceptOnlyFromAmong(OrleansComparison.Cells);
        var loops = new Option<int>("--busy") { Description = "Loops that keep processors busy in the cell light-busy.", DefaultValueFactory = _ => 2 };
        var orleans = new Command("orleans", "Grain storage on the PostgreSQL that STOUT_POSTGRES names, on this machine: Orleans' ADO.NET provider, plain and prepared, beside Stout's. The last line of the output is JSON.") { cells, loops };
        orleans.SetAction(async (parsed, _) => await OrleansComparison.RunAsync(
            new Comparison(parsed.GetValue(rounds), TimeSpan.FromSeconds(parsed.GetValue(seconds))), parsed.GetValue(cells)!, parsed.GetValue(loops)));
        root.Add(orleans);
        var lawWriters = new Option<int[]>("--writers") { Description = "The numbers of writers.", DefaultValueFactory = _ => [1, 8, 64, 512], AllowMultipleArgumentsPerToken = true };
        var waiting = new Command("waiting", "The default pacing law beside Window 1 and no batching, for writers that wait for each answer, on SQLite and PostgreSQL.") { lawWriters, busy };
        waiting.SetAction(async (parsed, _) => await LawComparison.RunAsync(
            new Comparison(parsed.GetValue(rounds), TimeSpan.FromSeconds(parsed.GetValue(seconds))), parsed.GetValue(lawWriters)!, parsed.GetValue(busy)));
        root.Add(waiting);
        var (storage, cluster) = (new Argument<string>("storage"), new Argument<string>("cluster"));
        var (port, gateway) = (new Argument<int>("port"), new Argument<int>("gateway"));
        var silo = new Command(SiloProcess.ChildCommand, "One silo of orleans.") { storage, cluster, port, gateway };
        silo.Hidden = true;
        silo.SetAction(async (parsed, _) => await SiloProcess.RunAsync(
            parsed.GetRequiredValue(storage), parsed.GetRequiredValue(cluster), parsed.GetValue(port), parsed.GetValue(gateway)));
        root.Add(silo);

        var (store, law) = (new Argument<string>("store"), new Argument<string>("law"));
        var process = new Command(ColdStart.ChildCommand, "One process of coldstart.") { store, law };
        process.Hidden = true;
        process.SetAction(async (parsed, _) => await ColdStart.RunProcessAsync(parsed.GetRequiredValue(store), parsed.GetRequiredValue(law), TimeSpan.FromSeconds(parsed.GetValue(seconds))));
        root.Add(process);

        var plots = new Option<string>("--plots") { Description = "The folder for a plot of each store." };
        var batches = new Command("batches", "The cost of a batch over its size, on SQLite and on the stores that STOUT_POSTGRES … name, and where larger batches stop paying.") { plots };
        batches.SetAction(async (parsed, _) => await BatchCost.RunAsync(parsed.GetValue(rounds), TimeSpan.FromSeconds(parsed.GetValue(seconds)), parsed.GetValue(plots)));
        root.Add(batches);

        var kill = new Option<string>("--kill") { Description = "The shell's command that kills the server.", Required = true };
        var start = new Option<string>("--start") { Description = "The shell's command that starts it again.", Required = true };
        var recovery = new Command("recovery", "How soon writes flow again after the server of the first store that STOUT_POSTGRES … name was killed and started.") { kill, start };
        recovery.SetAction(async (parsed, _) => await Recovery.RunAsync(
            parsed.GetValue(rounds), TimeSpan.FromSeconds(parsed.GetValue(seconds)), parsed.GetRequiredValue(kill), parsed.GetRequiredValue(start)));
        root.Add(recovery);

        var micro = new Command("micro", "BenchmarkDotNet, with its own arguments (--filter, --job short); from inside the repository, since it builds the project anew.") { TreatUnmatchedTokensAsErrors = false };
        micro.SetAction(parsed => { BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run([.. parsed.UnmatchedTokens], WithCultures); });
        root.Add(micro);
        return root.Parse(args).Invoke();

        void Add(string name, string what, Func<Comparison, Task> run)
        {
            var command = new Command(name, what);
            command.SetAction(async (parsed, _) => await run(new Comparison(parsed.GetValue(rounds), TimeSpan.FromSeconds(parsed.GetValue(seconds)))));
            root.Add(command);
        }
    }
}
