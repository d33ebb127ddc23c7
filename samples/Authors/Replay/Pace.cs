using System.Globalization;
using Authors.Editing;

namespace Authors.Replay;

/// <summary>The speed at which authors type.</summary>
/// <param name="Speed">The multiple of the recorded speed; null to type each keystroke as soon as the one before is answered.</param>
internal readonly record struct Pace(double? Speed)
{
    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan UnrecordedPause = TimeSpan.FromSeconds(1.0 / 5);

    /// <summary>Reads "max" or a number above 0.</summary>
    public static Pace Parse(string text)
    {
        if (text.Equals("max", StringComparison.OrdinalIgnoreCase))
            return default;
        return double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var speed) && speed > 0 && double.IsFinite(speed)
            ? new Pace(speed)
            : throw new FormatException($"The speed is \"max\" or a number above 0, not \"{text}\".");
    }

    /// <summary>
    /// The intended start of each keystroke, counted from the first one, at the recorded speed. Pauses are cut to 1 s, backward steps count as 0, and a
    /// history without recorded times runs at 5 keystrokes/s.
    /// </summary>
    public static IEnumerable<TimeSpan> RecordedStarts(EditingHistory history)
    {
        var recorded = history.Keystrokes.Any(keystroke => keystroke.Time != history.Keystrokes[0].Time);
        var start = TimeSpan.Zero;
        DateTimeOffset? previous = null;
        foreach (var keystroke in history.Keystrokes)
        {
            if (previous is { } before)
            {
                var pause = recorded ? keystroke.Time - before : UnrecordedPause;
                start += pause < TimeSpan.Zero ? TimeSpan.Zero : pause > LongestPause ? LongestPause : pause;
            }

            previous = keystroke.Time;
            yield return start;
        }
    }
}
