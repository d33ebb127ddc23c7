using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Checks the model. Without Stout its servers must agree with queueing theory, and Little's law must hold in every run.</summary>
internal sealed class Verify : IExperiment
{
    private const int Seeds = 10;
    private const double ServiceMs = 1;

    public string Name => "verify";

    public string Title => "the model against queueing theory, without Stout";

    public LawScope Scope => LawScope.Lane;

    public bool LawMatters => false;

    public ModelledStore? Model => new("queue", "bare servers, without Stout");

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        // Each case has enough requests for a 95 % interval of half the permitted width. So the case passes even if the mean is off by twice its standard
        // error. A brief run leaves out the longest cases.
        (string Queue, int Servers, double Load, int Requests, double Theory)[] cases =
        [
            ("M/D/1", 1, 0.5, 300_000, QueueingTheory.MeanWaitOfMD1(0.5, ServiceMs)),
            ("M/D/1", 1, 0.8, 800_000, QueueingTheory.MeanWaitOfMD1(0.8, ServiceMs)),
            ("M/M/1", 1, 0.6, 800_000, QueueingTheory.MeanWaitOfMMc(1, 0.6, ServiceMs)),
            .. context.Pick<(string, int, double, int, double)[]>(
                [
                    ("M/M/4", 4, 0.7, 2_500_000, QueueingTheory.MeanWaitOfMMc(4, 0.7, ServiceMs)),
                    ("M/M/8", 8, 0.75, 5_000_000, QueueingTheory.MeanWaitOfMMc(8, 0.75, ServiceMs)),
                ],
                [("M/M/4", 4, 0.5, 1_200_000, QueueingTheory.MeanWaitOfMMc(4, 0.5, ServiceMs))]),
        ];
        var table = new Table(
            new Column("queue"), new Column("load"), new Column("requests"), new Column("theoryMs", "ms"), new Column("meanWaitMs", "ms"),
            new Column("ratioLow"), new Column("ratioHigh"), new Column("littleRatioLow"), new Column("littleRatioHigh"), new Column("agrees"));
        var agree = true;
        foreach (var one in cases)
        {
            var runs = await Task.WhenAll(Enumerable.Range(0, Seeds).Select(i => context.RunAsync(() => Run(one.Queue, one.Servers, one.Load, one.Requests, (1_000 * context.Settings.Seed) + i, context.CancellationToken))));
            var (mean, deviation) = runs.Select(run => run.MeanWaitMs).MeanStandardDeviation();
            var half = StudentT.InvCDF(0, 1, Seeds - 1, 0.975) * deviation / Math.Sqrt(Seeds);
            var (low, high) = ((mean - half) / one.Theory, (mean + half) / one.Theory);
            var (littleLow, littleHigh) = (runs.Min(run => run.LittleRatio), runs.Max(run => run.LittleRatio));
            var agrees = low > 0.98 && high < 1.02 && littleLow > 0.999 && littleHigh < 1.001;
            agree &= agrees;
            table.Add(one.Queue, one.Load, one.Requests, one.Theory, mean, low, high, littleLow, littleHigh, agrees);
        }

        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [new("queues that agree with theory", "", table.Rows.Count(row => row[^1] is true), cases.Length)],
            Notes = [$"{Seeds} seeds each: the 95 % interval of the mean wait must lie within 2 % of the formula, and the number of requests in the system, counted as they come and go, within 0.1 % of rate × mean time in every run."],
        };
        result.Summary["agrees"] = agree;
        return result;
    }

    private static QueueFigures Run(string queue, int servers, double load, int requests, int seed, CancellationToken cancellationToken)
    {
        var random = new Random(seed);
        var service = queue == "M/D/1" ? ServiceTime.Linear(ServiceMs, 0, 0, random) : ServiceTime.Exponential(ServiceMs, random);
        var store = new Servers(servers, service, StoreSpeed.Usual);
        var arrivals = new PoissonArrivals(LoadProfile.Constant(1_000 * servers * load / ServiceMs), new Random(random.Next()));
        return new BareQueue(store, arrivals).Run(requests, ServiceMs, cancellationToken);
    }
}
