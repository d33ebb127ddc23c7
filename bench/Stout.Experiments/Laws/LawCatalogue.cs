using System.Collections.Concurrent;
using System.Globalization;
using Stout.Experiments.Workloads;
using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>The pacing laws by name. A new law is added here.</summary>
internal static class LawCatalogue
{
    private const string FixedPrefix = "fixed-";
    private const string None = "none";

    private static readonly PacingChoice[] Named =
    [
        new("delay", static start => new DelayLaw(Started(new DelayLawParameters(), start)), LawScope.Lane),
        new("paper", static start => new PaperLaw(Started(PaperLawParameters.SqlServer, start))),
        new("paper-pacifica", static start => new PaperLaw(Started(PaperLawParameters.PacificA, start))),
        new("paper-sds", static start => new PaperLaw(Started(PaperLawParameters.Sds, start))),
        Window(1),
        Window(2),
        Window(4),
        new("aimd", static _ => new AimdWindowLaw()),
        new("gradient2", static _ => new Gradient2WindowLaw()),
        new("cosmos-bulk", static _ => new CosmosBulkLaw()),
    ];

    // One object for each interval, so that scenarios with the same interval are equal.
    private static readonly ConcurrentDictionary<double, PacingChoice> FixedIntervals = new();
    private static readonly ConcurrentDictionary<double, PacingChoice> SeparateRequests = new();

    /// <summary>Names to choose from; <c>fixed-20</c> stands for every fixed interval in milliseconds.</summary>
    public static IEnumerable<string> Names => Named.Select(law => law.Name).Append(None).Append(FixedPrefix + "20");

    /// <summary>The library's default on stores that processes share.</summary>
    public static PacingChoice Default => Find("delay")!;

    /// <summary>A fixed interval in milliseconds; 0 is no batching: every change leaves at once, and nothing bounds what is in flight.</summary>
    public static PacingChoice Fixed(double milliseconds) => FixedIntervals.GetOrAdd(milliseconds, static ms => new PacingChoice(
        ms == 0 ? None : FixedPrefix + ms.ToString("0.##", CultureInfo.InvariantCulture),
        _ => new FixedIntervalLaw(new FixedIntervalLawParameters { Interval = TimeSpan.FromMilliseconds(ms) }),
        Adapts: false));

    /// <summary>A fixed interval's length in milliseconds; null for any other law.</summary>
    public static double? IntervalOf(PacingChoice law) => FixedIntervals.Where(known => known.Value == law).Select(known => (double?)known.Key).FirstOrDefault();

    /// <summary>
    /// A fixed interval in milliseconds without batching: writes of a document collapse, and each document's write leaves in its own request.
    /// </summary>
    public static PacingChoice Separate(double milliseconds) => SeparateRequests.GetOrAdd(milliseconds, static ms => new PacingChoice(
        FormattableString.Invariant($"separate-{ms}"), _ => new SeparateRequestsLaw(ms), Adapts: false));

    public static PacingChoice? Find(string name)
    {
        if (name.StartsWith(FixedPrefix, StringComparison.Ordinal)
            && double.TryParse(name.AsSpan(FixedPrefix.Length), CultureInfo.InvariantCulture, out var milliseconds))
        {
            return Fixed(milliseconds);
        }

        return name == None ? Fixed(0) : Array.Find(Named, law => law.Name == name);
    }

    private static PacingChoice Window(int requests) =>
        new($"window{requests}", _ => new WindowLaw(new WindowLawParameters { MaxInFlight = requests }), Adapts: false);

    private static DelayLawParameters Started(DelayLawParameters parameters, double? interval) =>
        interval is { } start ? parameters with { InitialInterval = TimeSpan.FromMilliseconds(start) } : parameters;

    private static PaperLawParameters Started(PaperLawParameters parameters, double? interval) =>
        interval is { } start ? parameters with { InitialInterval = TimeSpan.FromMilliseconds(start) } : parameters;
}
