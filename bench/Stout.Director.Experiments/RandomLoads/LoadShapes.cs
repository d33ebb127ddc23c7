using static System.FormattableString;

namespace Stout.Director.Experiments.RandomLoads;

/// <summary>Draws the shapes that loads of hosted services have. Times are real times.</summary>
internal static class LoadShapes
{
    private const double Minute = 60;
    private const double Hour = 3_600;
    private const double Day = 24 * Hour;

    private static readonly Func<Random, LoadShape>[] Kinds =
    [
        Steady, Noise, Days, Week, Drift, Bursts, MovingHotBin, BurstyBins, ShortOutage, LongOutage, SquareWave, Rise, FlashCrowd, Deployments, Jobs,
    ];

    /// <summary>The shape of a load's number: the kinds take turns, so that each has its share in any number of loads.</summary>
    public static LoadShape Draw(int number, Random random)
    {
        var shape = Kinds[number % Kinds.Length](random);
        var (day, phase) = (random.Next(2) == 0 ? 0.4 * random.NextDouble() : 0, Day * random.NextDouble());
        var noise = shape.BinNoise > 0 ? shape.BinNoise : 0.15 * random.NextDouble();
        if (shape.Kind is "days" or "week" || shape.Length < TimeSpan.FromHours(8))
            day = 0;
        return shape with
        {
            Whole = seconds => shape.Whole(seconds) * (1 + (day * Math.Sin(2 * Math.PI * (seconds + phase) / Day))),
            BinNoise = noise,
            Description = Invariant($"{shape.Kind}: {shape.Description}; a day of ± {day:0.00}, bins ± {noise:0.00}"),
        };
    }

    private static LoadShape Steady(Random random) => new("steady", TimeSpan.FromHours(Between(random, 6, 24)), _ => 1);

    private static LoadShape Noise(Random random)
    {
        var (sigma, step, seed) = (0.05 + (0.25 * random.NextDouble()), Between(random, 20, 120), random.Next());
        return new("noise", TimeSpan.FromHours(8), seconds => Scattered(seed, seconds / step, sigma)) { Description = Invariant($"σ {sigma:0.00} every {step:0} s") };
    }

    private static LoadShape Days(Random random)
    {
        var (least, size, seed) = (0.2 + (0.4 * random.NextDouble()), 0.15 * random.NextDouble(), random.Next());
        return new("days", TimeSpan.FromDays(2), seconds => OfDay(seconds, least) * Scattered(seed, seconds / Day, size) * Smooth(seed + 1, seconds / 300, 0.03))
        {
            Description = Invariant($"least {least:0.00}, days differ by {size:0.00}"),
        };
    }

    private static LoadShape Week(Random random)
    {
        var (least, weekend, seed, first) = (0.2 + (0.4 * random.NextDouble()), 0.3 + (0.5 * random.NextDouble()), random.Next(), random.Next(7));
        return new("week", TimeSpan.FromDays(8), seconds => OfDay(seconds, least) * (((int)Math.Floor(seconds / Day) + first) % 7 >= 5 ? weekend : 1) * Smooth(seed, seconds / 300, 0.03))
        {
            Description = Invariant($"least {least:0.00}, weekends {weekend:0.00}"),
        };
    }

    private static LoadShape Drift(Random random)
    {
        var (sigma, seed) = (Between(random, 0.1, 0.5), random.Next());
        var walk = new double[25];
        var own = new Random(seed);
        for (var hour = 1; hour < walk.Length; hour++)
            walk[hour] = Math.Clamp(walk[hour - 1] + (sigma * DrawnWorkload.Normal(own)), -1.2, 0.9);
        return new("drift", TimeSpan.FromHours(24), seconds => Math.Exp(Line(walk, seconds / Hour))) { Description = Invariant($"σ {sigma:0.00} an hour") };
    }

    private static LoadShape Bursts(Random random)
    {
        var (bins, share, length, gap, first) = (1 + random.Next(20), Between(random, 0.02, 0.1), Between(random, 30, 180), Minute * Between(random, 4, 30), random.Next(200));
        share = Math.Min(share, 1.0 / bins);
        return new("bursts", TimeSpan.FromHours(8), _ => 1)
        {
            Hot = seconds => Modulo(seconds, gap) >= gap - length ? Enumerable.Range(first, bins).Select(bin => (bin, share)) : [],
            Description = Invariant($"{bins} bins + {share:0.000} each for {length:0} s every {gap / Minute:0} min"),
        };
    }

    private static LoadShape MovingHotBin(Random random)
    {
        var (share, stays, seed) = (Between(random, 0.1, 0.5), Minute * Between(random, 5, 40), random.Next(1_000));
        return new("moving hot bin", TimeSpan.FromHours(6), _ => 1)
        {
            Hot = seconds => [(((int)Math.Floor(seconds / stays) + seed) * 37, share)],
            Description = Invariant($"one bin + {share:0.00}, another every {stays / Minute:0} min"),
        };
    }

    private static LoadShape BurstyBins(Random random)
    {
        var (sigma, step) = (Between(random, 0.4, 1.2), Between(random, 20, 300));
        return new("bursty bins", TimeSpan.FromHours(8), _ => 1) { BinNoise = sigma, NoiseSeconds = step, Description = Invariant($"σ {sigma:0.00} every {step:0} s") };
    }

    private static LoadShape ShortOutage(Random random) => Outages(random, "short outage", Minute * Between(random, 2, 20), 1 + random.NextDouble());

    private static LoadShape LongOutage(Random random) => Outages(random, "long outage", Minute * Between(random, 30, 150), random.Next(2) == 0 ? 1 : 1 + (0.6 * random.NextDouble()));

    private static LoadShape Outages(Random random, string kind, double lasts, double back)
    {
        var (left, calm, count) = (0.1 * random.NextDouble(), Minute * Between(random, 2, 20), 1 + random.Next(3));
        var starts = Enumerable.Range(0, count).Select(i => Hour * (1 + ((i + random.NextDouble()) * 9 / count))).ToArray();
        return new(kind, TimeSpan.FromHours(12), seconds => starts.Aggregate(1.0, (factor, start) => factor * At(seconds - start)))
        {
            Description = Invariant($"{count} × {lasts / Minute:0} min at {left:0.00}, back at {back:0.00}"),
        };

        double At(double since) => since < 0 ? 1 : since < lasts ? left : 1 + ((back - 1) * Math.Exp(-(since - lasts) / calm));
    }

    private static LoadShape SquareWave(Random random)
    {
        var (ratio, half) = (Between(random, 1.3, 3), Minute * Between(random, 10, 120));
        return new("square wave", TimeSpan.FromHours(12), seconds => Modulo(seconds, 2 * half) < half ? 1 : ratio) { Description = Invariant($"× {ratio:0.0} every {2 * half / Minute:0} min") };
    }

    private static LoadShape Rise(Random random)
    {
        var (factor, rise, stays, start) = (Between(random, 1.5, 5), Minute * Between(random, 5, 40), Hour * Between(random, 0.5, 4), Hour * Between(random, 0.5, 3));
        return new("rise", TimeSpan.FromHours(10), seconds => 1 + ((factor - 1) * (Math.Clamp((seconds - start) / rise, 0, 1) - Math.Clamp((seconds - start - rise - stays) / rise, 0, 1))))
        {
            Description = Invariant($"× {factor:0.0} in {rise / Minute:0} min"),
        };
    }

    private static LoadShape FlashCrowd(Random random)
    {
        var (share, rise, decay, bins, count) = (Between(random, 0.2, 1), Minute * Between(random, 1, 10), Minute * Between(random, 10, 60), random.Next(2) == 0 ? 1 : 1 + random.Next(30), 1 + random.Next(3));
        var crowds = Enumerable.Range(0, count).Select(i => (At: Hour * (0.5 + ((i + random.NextDouble()) * 7 / count)), Bin: random.Next(200))).ToArray();
        return new("flash crowd", TimeSpan.FromHours(10), _ => 1)
        {
            Hot = seconds => crowds.Where(crowd => seconds > crowd.At && seconds < crowd.At + (8 * decay)).SelectMany(crowd => Enumerable.Range(crowd.Bin, bins).Select(bin => (bin, share / bins * Crowd(seconds - crowd.At)))),
            Description = Invariant($"{count} × {share:0.00} on {bins} bins within {rise / Minute:0} min, halved in {decay * 0.69 / Minute:0} min"),
        };

        double Crowd(double since) => since < rise ? since / rise : Math.Exp(-(since - rise) / decay);
    }

    private static LoadShape Deployments(Random random)
    {
        var (dip, dips, more, lasts, gap) = (0.2 + (0.4 * random.NextDouble()), Minute * Between(random, 1, 5), 1 + (0.5 * random.NextDouble()), Minute * Between(random, 3, 15), Hour * Between(random, 1, 6));
        return new("deployments", TimeSpan.FromHours(12), seconds => Modulo(seconds, gap) switch
        {
            var since when since < gap / 2 => 1,
            var since when since < (gap / 2) + dips => 1 - dip,
            var since when since < (gap / 2) + dips + lasts => more,
            _ => 1,
        })
        {
            Description = Invariant($"every {gap / Hour:0.0} h − {dip:0.00} for {dips / Minute:0} min, then × {more:0.00} for {lasts / Minute:0} min"),
        };
    }

    private static LoadShape Jobs(Random random)
    {
        var (more, lasts, gap) = (0.2 + (0.8 * random.NextDouble()), Minute * Between(random, 1, 15), Minute * (random.Next(3) == 0 ? 15 : 60));
        return new("jobs", TimeSpan.FromHours(12), seconds => Modulo(seconds, gap) < Math.Min(lasts, gap / 2) ? 1 + more : 1)
        {
            Description = Invariant($"× {1 + more:0.00} for {Math.Min(lasts, gap / 2) / Minute:0} min every {gap / Minute:0} min"),
        };
    }

    // The load over a day, from `least` to 1: a morning rise within two hours, a peak at noon, a smaller one in the evening, and a night.
    private static double OfDay(double seconds, double least)
    {
        var hour = Modulo(seconds, Day) / Hour;
        var shape = (0.6 * Step(7, 2)) + (0.4 * Math.Exp(-Math.Pow((hour - 12.5) / 1.5, 2))) + (0.3 * Math.Exp(-Math.Pow((hour - 20) / 1.5, 2))) - (0.6 * Step(22.5, 1.5));
        return least + ((1 - least) * Math.Max(0, shape));

        double Step(double at, double width) => 1 / (1 + Math.Exp(-6 * (hour - at) / width));
    }

    // A factor that holds for one step.
    private static double Scattered(int seed, double position, double sigma) =>
        Math.Exp((sigma * DrawnWorkload.Normal(new Random(unchecked(seed + ((int)Math.Floor(position) * (int)0x9E3779B1))))) - (sigma * sigma / 2));

    // A factor that goes in straight lines from step to step.
    private static double Smooth(int seed, double position, double sigma)
    {
        var (first, part) = (Math.Floor(position), position - Math.Floor(position));
        return (Scattered(seed, first, sigma) * (1 - part)) + (Scattered(seed, first + 1, sigma) * part);
    }

    private static double Line(double[] values, double position)
    {
        var at = Math.Clamp(position, 0, values.Length - 1.001);
        return values[(int)at] + ((values[(int)at + 1] - values[(int)at]) * (at - (int)at));
    }

    private static double Modulo(double seconds, double length) => seconds - (length * Math.Floor(seconds / length));

    private static double Between(Random random, double least, double most) => least * Math.Pow(most / least, random.NextDouble());
}
