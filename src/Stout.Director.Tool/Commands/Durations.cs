using System.Globalization;

namespace Stout.Director.Tool.Commands;

/// <summary>Reads durations such as 15s, 5m, 1h and 7d.</summary>
internal static class Durations
{
    /// <exception cref="OptionException">The text is no duration above 0.</exception>
    public static TimeSpan Parse(string text, string option)
    {
        var digits = text.Length;
        while (digits > 0 && !char.IsAsciiDigit(text[digits - 1]))
            digits--;
        var unit = text[digits..].Trim() switch
        {
            "s" => 1,
            "m" or "min" => 60,
            "h" => 3_600,
            "d" => 86_400,
            "w" => 604_800,
            _ => double.NaN,
        };
        return double.TryParse(text[..digits], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && number * unit is > 0 and < 1e9
            ? TimeSpan.FromSeconds(number * unit)
            : throw new OptionException($"{option}: \"{text}\" is not a duration such as 15s, 5m, 1h or 7d.");
    }
}
