using System.Globalization;

namespace Stout.Director.Tool.Importing;

/// <summary>Reads the times of one CSV file: Unix seconds, or ISO 8601. A file has times of one kind.</summary>
/// <param name="isUtc">Whether times without an offset are UTC.</param>
internal sealed class CsvTimes(bool isUtc)
{
    private Kind _kind;

    private enum Kind
    {
        None,
        Unix,
        WithOffset,
        Utc,
    }

    /// <summary>The Unix time in seconds.</summary>
    /// <exception cref="ImportException">The text is no time, or of another kind than the times before.</exception>
    public double Read(string text, string place)
    {
        var (kind, time) = Parse(text, place);
        if (_kind != Kind.None && kind != _kind)
            throw new ImportException(place, $"\"{text}\" {Words(kind)}, and the times before {Words(_kind, many: true)}. Write all times in one way.");
        _kind = kind;
        return time;
    }

    private (Kind Kind, double Time) Parse(string text, string place)
    {
        if (double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var unix) && unix is > 0 and < 1e11)
            return (Kind.Unix, unix);
        if (!DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time)
            || !DateTime.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind, out var kind) || text.Length < 10)
        {
            throw new ImportException(place, $"\"{text}\" is not a time such as 2026-11-28T12:00:00Z, or Unix seconds.");
        }

        if (kind.Kind != DateTimeKind.Unspecified)
            return (Kind.WithOffset, time.ToUnixTimeMilliseconds() / 1000.0);
        return isUtc
            ? (Kind.Utc, time.ToUnixTimeMilliseconds() / 1000.0)
            : throw new ImportException(place, $"\"{text}\" has no time zone. Add Z or an offset, or give --utc if all times are UTC.");
    }

    private static string Words(Kind kind, bool many = false) => kind switch
    {
        Kind.Unix => many ? "are Unix seconds" : "is in Unix seconds",
        Kind.WithOffset => many ? "have a time zone" : "has a time zone",
        _ => many ? "have no time zone" : "has no time zone",
    };
}
