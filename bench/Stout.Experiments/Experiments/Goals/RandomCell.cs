using System.Globalization;
using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>A store, a load and its clients, drawn at random from wide ranges.</summary>
/// <param name="Number">The cell's number among those of its seed, from 1.</param>
/// <param name="Description">The drawn values, in words.</param>
/// <param name="Load">The load as a share of the rate that the store carries when every lane sends a batch every 400 ms.</param>
/// <param name="Rate">Writes/s.</param>
/// <param name="Scenario">The scenario of a run of the cell. Its law, length and seed are set later.</param>
internal sealed record RandomCell(int Number, string Description, double Load, double Rate, Scenario Scenario)
{
    private const double MaxRate = 100_000;
    private const double LongestInterval = 400;
    private const double UniformSpread = 0.3;
    private const double SlowShare = 0.1;
    private const int PausesDrawn = 2_000;

    /// <summary>
    /// The same store with clients that wait for their replies, slower after idle time and with pauses of the clients, as on real machines. The mean latency of
    /// a run is then that of a client's whole cycle, so that the ratio of two laws is that of their completed calls.
    /// </summary>
    public RandomCell WithWaitingClients(int seed)
    {
        var random = new Random(unchecked(seed - (Number * (int)0x9E3779B1)));
        var clients = (int)Math.Round(Between(random, 1, 512));
        var think = random.Next(3) == 0 ? 0 : Between(random, 0.1, 20);
        var (idle, times, share) = (Between(random, 1, 10), Between(random, 1.5, 5), Between(random, 0.01, 0.1));
        var store = Scenario.Store with
        {
            Make = (own, speed, lanes) => new IdleSlowdown(Scenario.Store.Make(own, speed, lanes), TimeSpan.FromMilliseconds(idle), times, share, own),
        };
        var closed = new ClosedLoad(clients, TimeSpan.FromMilliseconds(think));
        var rate = Math.Min(Rate / Load, 1_000 * clients / (think + store.RoundTrip.TotalMilliseconds + 1));
        return this with
        {
            Rate = rate,
            Description = FormattableString.Invariant($"{clients} clients that think {think:0.#} ms, {times:0.#} times slower after {idle:0.#} ms, {100 * share:0} % of the answers late; {Description}"),
            Scenario = Scenario with { Store = store, Closed = closed, Tiers = Math.Min(Scenario.Tiers, clients), HotShare = 0 },
        };
    }

    /// <summary>The cell of a seed and a number: the same on every machine.</summary>
    public static RandomCell Draw(int seed, int number)
    {
        // An odd multiplier keeps the cells of neighboring seeds apart.
        var random = new Random(unchecked(seed + (number * (int)0x9E3779B1)));
        while (true)
        {
            if (Draw(number, random) is { Rate: <= MaxRate } cell)
                return cell;
        }
    }

    private static RandomCell Draw(int number, Random random)
    {
        var workers = (int)Math.Round(Between(random, 1, 32));
        var (perRequest, perKey) = (Between(random, 0.05, 5), Between(random, 0.005, 0.5));
        var (noiseName, noise) = DrawNoise(random);
        var (roundTrip, roundTripSigma) = (Between(random, 0.1, 10), 0.5 * random.NextDouble());
        var flush = random.Next(4) switch { 0 => "shared", 1 => "delayed", _ => "no" };
        var (flushTime, flushDelay) = (Between(random, 1, 10), Between(random, 1, 10));
        var pauses = random.Next(5) == 0;
        var (pauseTime, pauseGap, pauseSeed) = (Between(random, 50, 500), Between(random, 10_000, 60_000), random.Next());
        var limit = random.Next(2) == 0 ? 100_000 : (int)Between(random, 100, 10_000);
        var lanes = (int)Math.Round(Between(random, 1, 64));
        var load = 0.02 + (0.96 * random.NextDouble());
        var isHot = random.Next(3) == 0;

        var available = workers * (pauses ? 1 - (pauseTime / (pauseTime + pauseGap)) : 1);
        var perLane = (available - (lanes * perRequest / LongestInterval)) / perKey;
        var rate = 1_000 * load * Math.Min(perLane, available / (perKey + (perRequest / limit)));
        var store = new StoreKind
        {
            Name = "drawn",
            Description = "A store drawn at random",
            Partitions = 1,
            RoundTrip = TimeSpan.FromMilliseconds(roundTrip / 2),
            MaxBatchKeys = limit,
            Loads = [],
            Make = (own, speed, _) => new DrawnStore(
                new Servers(workers, ServiceTime.Scattered(perRequest, perKey, noise(own)), speed),
                flush == "no" ? null : new FlushSchedule(TimeSpan.FromMilliseconds(flush == "delayed" ? flushDelay : 0), TimeSpan.FromMilliseconds(flushTime), speed),
                TimeSpan.FromMilliseconds(roundTrip / 2),
                ServiceNoise.Lognormal(roundTripSigma, own)),
        };
        var scenario = new Scenario
        {
            Store = store,
            Load = LoadProfile.Constant(rate),
            Law = LawCatalogue.Default,
            Tiers = lanes,
            Documents = Math.Max(20_000, 500 * lanes),
            HotShare = isHot ? 0.5 : 0,
            HotDocuments = 8 * lanes,
            WriteShare = 1,
            Speed = pauses ? _ => Pauses(pauseTime, pauseGap, pauseSeed) : null,
        };
        var words = string.Create(CultureInfo.InvariantCulture, $"{workers} workers, {perRequest:0.###} + {perKey:0.####} n ms, {noiseName}, round trip {roundTrip:0.##} ms (σ {roundTripSigma:0.##}), {flush switch
        {
            "no" => "no flush",
            "shared" => $"shared flush of {flushTime:0.#} ms",
            _ => $"flush of {flushTime:0.#} ms delayed by {flushDelay:0.#} ms",
        }}{(pauses ? $", pauses of {pauseTime:0} ms every {pauseGap / 1_000:0} s" : "")}, {(limit == 100_000 ? "any batch" : $"batches to {limit}")}, {lanes} lanes, {(isHot ? "hot" : "uniform")} keys");
        return new RandomCell(number, words, load, rate, scenario);
    }

    private static double Between(Random random, double least, double most) => least * Math.Pow(most / least, random.NextDouble());

    private static (string Name, Func<Random, Func<double>> Noise) DrawNoise(Random random)
    {
        var (kind, sigma, times) = (random.Next(4), 0.8 * random.NextDouble(), 3 + (7 * random.NextDouble()));
        return kind switch
        {
            0 => ("constant", static _ => ServiceNoise.Constant),
            1 => ("uniform", static own => ServiceNoise.Uniform(UniformSpread, own)),
            2 => (FormattableString.Invariant($"lognormal σ {sigma:0.##}"), own => ServiceNoise.Lognormal(sigma, own)),
            _ => (FormattableString.Invariant($"bimodal, one in ten × {times:0.#}"), own => ServiceNoise.Bimodal(SlowShare, times, own)),
        };
    }

    private static StoreSpeed Pauses(double milliseconds, double meanGap, int seed)
    {
        var random = new Random(seed);
        var at = 0.0;
        return StoreSpeed.Hiccups(Enumerable.Range(0, PausesDrawn).Select(_ =>
        {
            at += milliseconds + (meanGap * (0.5 + random.NextDouble()));
            return (TimeSpan.FromMilliseconds(at), TimeSpan.FromMilliseconds(milliseconds));
        }).ToList());
    }
}
