using System.Globalization;
using System.Text.RegularExpressions;

namespace Stout.Director;

/// <summary>A service-level objective: a share of reads is answered within a threshold, in every interval (the paper's §1 and §6.1).</summary>
public sealed partial record ServiceObjective
{
    /// <summary>Creates an objective.</summary>
    /// <param name="percentile">The share of reads in percent. At least 50, below 100.</param>
    /// <param name="threshold">The longest latency. Above 0, at most 1 hour.</param>
    /// <param name="interval">The time over which the share is taken. At least 1 s, at most 1 day.</param>
    /// <exception cref="InvalidObjectiveException">A value is out of range.</exception>
    public ServiceObjective(double percentile, TimeSpan threshold, TimeSpan interval)
    {
        if (!(percentile is >= 50 and < 100))
            throw new InvalidObjectiveException(FormattableString.Invariant($"The percentile is {percentile}; it has to be at least 50 and below 100."));
        if (threshold <= TimeSpan.Zero || threshold > TimeSpan.FromHours(1))
            throw new InvalidObjectiveException($"The threshold is {threshold}; it has to be above 0 and at most 1 hour.");
        if (interval < TimeSpan.FromSeconds(1) || interval > TimeSpan.FromDays(1))
            throw new InvalidObjectiveException($"The interval is {interval}; it has to be from 1 s to 1 day.");
        (Percentile, Threshold, Interval) = (percentile, threshold, interval);
    }

    /// <summary>The paper's objective: 99 % of reads under 100 ms; the interval is 1 min.</summary>
    public static ServiceObjective Paper { get; } = new(99, TimeSpan.FromMilliseconds(100), TimeSpan.FromMinutes(1));

    /// <summary>The share of reads in percent.</summary>
    public double Percentile { get; }

    /// <summary>The longest latency of that share.</summary>
    public TimeSpan Threshold { get; }

    /// <summary>The time over which the share is taken.</summary>
    public TimeSpan Interval { get; }

    /// <summary>The share of reads that may be slower than the threshold, from 0 to 1.</summary>
    public double SlowBudget => 1 - Percentile / 100;

    /// <summary>Reads an objective such as <c>99 % of reads under 100 ms, over 1 min</c>. Units: ms, s, min, h. The default interval is 1 min.</summary>
    /// <param name="text">The text.</param>
    /// <returns>The objective.</returns>
    /// <exception cref="InvalidObjectiveException">The text has another form, or a value is out of range.</exception>
    public static ServiceObjective Parse(string text)
    {
        var match = Form().Match(text);
        if (!match.Success)
            throw new InvalidObjectiveException($"\"{text}\" is not an objective. The form is: 99 % of reads under 100 ms, over 1 min.");
        return new ServiceObjective(Number("percentile"), Time("threshold"), match.Groups["interval"].Success ? Time("interval") : TimeSpan.FromMinutes(1));

        double Number(string group) => double.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture);
        TimeSpan Time(string group)
        {
            var milliseconds = Number(group) * match.Groups[group + "Unit"].Value switch { "ms" => 1, "s" => 1e3, "min" => 6e4, _ => 3.6e6 };
            return milliseconds <= 1e9 ? TimeSpan.FromMilliseconds(milliseconds) : throw new InvalidObjectiveException($"\"{match.Value}\": the time is too long.");
        }
    }

    /// <summary>The objective in the form that <see cref="Parse"/> reads.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => FormattableString.Invariant($"{Percentile} % of reads under {Words(Threshold)}, over {Words(Interval)}");

    private static string Words(TimeSpan time) => time switch
    {
        { TotalSeconds: < 1 } => FormattableString.Invariant($"{time.TotalMilliseconds} ms"),
        { TotalMinutes: < 1 } => FormattableString.Invariant($"{time.TotalSeconds} s"),
        { TotalHours: < 1 } => FormattableString.Invariant($"{time.TotalMinutes} min"),
        _ => FormattableString.Invariant($"{time.TotalHours} h"),
    };

    [GeneratedRegex(@"^\s*(?<percentile>\d+(\.\d+)?)\s*%(\s+of\s+reads)?\s+under\s+(?<threshold>\d+(\.\d+)?)\s*(?<thresholdUnit>ms|s|min|h)(\s*,?\s+over\s+(?<interval>\d+(\.\d+)?)\s*(?<intervalUnit>ms|s|min|h))?\s*$")]
    private static partial Regex Form();
}
