using System.Text.Json.Nodes;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>A service's payments to its store with and without Stout, for every thousand requests of its clients.</summary>
internal sealed class Cost : IExperiment
{
    private const double Per = 1_000;

    private static readonly double[] Loads = [5_000, 6_000, 9_000, 12_000, 15_000, 18_000, 21_000, 24_000, 27_000, 30_000, 36_000, 41_000];

    // 64,000 documents as in the paper's workload, and 100 as in figure 6, where writes collapse.
    private static readonly int[] Documents = [64_000, 100];

    public string Name => "cost";

    public string Title => "what a service pays its store, with and without Stout";

    public LawScope Scope => LawScope.Process;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var loads = context.Pick(Loads, [6_000, 24_000]);
        var cases = Documents.SelectMany(documents => loads.Select(load => (Documents: documents, Load: load))).ToList();
        var runs = await context.RunAllAsync(cases.Select(one => context.Constant(context.Law, one.Load) with
        {
            Store = context.Model with { MaxBatchKeys = UnitPrices.MaxBatchKeys },
            Documents = one.Documents,
        }));
        var bills = cases.SelectMany((one, i) => Bill.AllOf(runs[i]).Select(bill => (one.Documents, one.Load, Bill: bill))).ToList();
        var table = new Table(
            new Column("documents"), new Column("rate", "requests/s"), new Column("service"),
            new Column("storeRequests", "per 1,000 requests"), new Column("writes", "per 1,000 requests"), new Column("reads", "per 1,000 requests"),
            new Column("bytes", "per 1,000 requests"), new Column("requestUnits", "RU per 1,000 requests"),
            new Column("tableTransactions", "per 1,000 requests"), new Column("overloaded"));
        var rows = new JsonArray();
        foreach (var (documents, load, bill) in bills)
        {
            table.Add(documents, load, bill.Service, bill.StoreRequests, bill.Writes, bill.Reads, bill.Bytes, bill.RequestUnits, bill.TableTransactions, bill.Overloaded);
            rows.Add(new JsonObject
            {
                ["documents"] = documents,
                ["rate"] = load,
                ["service"] = bill.Service,
                ["storeRequests"] = Json.Value(bill.StoreRequests),
                ["writes"] = Json.Value(bill.Writes),
                ["bytes"] = Json.Value(bill.Bytes),
                ["requestUnits"] = Json.Value(bill.RequestUnits),
                ["tableTransactions"] = Json.Value(bill.TableTransactions),
            });
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [.. Documents.SelectMany(documents => Headlines(bills.Where(bill => bill.Documents == documents).Select(bill => (bill.Load, bill.Bill)), documents))],
            Plots =
            [
                new("Azure Tables transactions", "rate", "tableTransactions", "service") { Panels = ["documents"] },
                new("Cosmos DB request units", "rate", "requestUnits", "service") { Panels = ["documents"] },
            ],
            Notes =
            [
                $"A thousand requests are {Per * context.Constant(context.Law, 1).WriteShare:N0} writes and as many reads. \"{Bill.Direct}\" asks the store for each of them; "
                + $"\"{Bill.Cached}\" reads from its own memory and writes each change at once; \"{Bill.WithStout}\" reads from memory, and batches and collapses writes. "
                + "The first two are counted, not run: whether the store would carry them is another question (see table1).",
                $"Unit prices: {UnitPrices.CosmosPointRead} request unit for a point read, {UnitPrices.CosmosWrite} for a write of up to 1 KiB that nothing indexes; a batch in Cosmos DB costs what its writes cost, "
                + $"so only collapsing saves there. Azure Tables bills a batch of up to {UnitPrices.MaxBatchKeys} writes as one transaction.",
                "Filling memory at the start costs one read per document, once; it is not counted.",
            ],
        };
        result.Summary["rows"] = rows;
        return result;
    }

    // The headlines at the lightest and at the heaviest load that Stout carries.
    private static IEnumerable<Headline> Headlines(IEnumerable<(double Load, Bill Bill)> bills, int documents)
    {
        var loads = bills.GroupBy(one => one.Load).Where(load => !load.Any(one => one.Bill.Overloaded)).ToList();
        if (loads.Count == 0)
            return [];
        return new[] { loads[0], loads[^1] }.DistinctBy(load => load.Key).SelectMany(load =>
        {
            var of = load.ToDictionary(one => one.Bill.Service, one => one.Bill);
            var (direct, cached, stout) = (of[Bill.Direct], of[Bill.Cached], of[Bill.WithStout]);
            var at = $"{documents:N0} documents, {load.Key:N0} requests/s";
            return new Headline[]
            {
                new($"{at}: request units, over those of asking the store for everything", "", stout.RequestUnits / direct.RequestUnits),
                new($"{at}: request units, over those of a cache without Stout", "", stout.RequestUnits / cached.RequestUnits),
                new($"{at}: table transactions, over those of a cache without Stout", "", stout.TableTransactions / cached.TableTransactions),
            };
        });
    }

    /// <summary>The cost of a thousand requests of clients.</summary>
    private sealed record Bill(string Service, double StoreRequests, double Writes, double Reads, double Bytes, bool Overloaded)
    {
        public const string Direct = "no cache, no Stout";
        public const string Cached = "cache, no Stout";
        public const string WithStout = "Stout";

        public double RequestUnits => (Writes * UnitPrices.CosmosWrite) + (Reads * UnitPrices.CosmosPointRead);

        public double TableTransactions => StoreRequests * UnitPrices.TableTransactionsPerRequest;

        /// <summary>The costs of a service without cache and Stout, of one with a cache alone, and of the service with Stout that was run.</summary>
        public static IEnumerable<Bill> AllOf(RunFigures run)
        {
            var writes = Per * run.Scenario.WriteShare;
            var reads = Per - writes;
            var bytesPerWrite = (double)run.BytesSent / run.KeysSent;
            var thousands = (run.Writes.Count + run.Reads.Count) / Per;
            yield return new(Direct, writes + reads, writes, reads, (writes * bytesPerWrite) + (reads * run.Scenario.ValueBytes), Overloaded: false);
            yield return new(Cached, writes, writes, 0, writes * bytesPerWrite, Overloaded: false);
            yield return new(WithStout, run.StoreRequests / thousands, run.KeysSent / thousands, 0, run.BytesSent / thousands, run.Overloaded);
        }
    }
}
