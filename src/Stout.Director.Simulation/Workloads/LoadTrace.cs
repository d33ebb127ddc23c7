using System.Globalization;
using System.IO.Compression;

namespace Stout.Director.Simulation.Workloads;

/// <summary>Requests per minute over time, read from a CSV file with the columns <c>minute,requests</c>, plain or gzipped.</summary>
internal sealed class LoadTrace
{
    // The longest accepted gap between two lines, in days. A longer gap is taken for a wrong date.
    private const int LongestGap = 31;

    // More requests in a minute are taken for a wrong number.
    private const double Most = 1e12;

    private readonly DateTime _first;
    private readonly List<double> _requests;

    private LoadTrace(DateTime first, List<double> requests) => (_first, _requests) = (first, requests);

    /// <summary>The first minute, in UTC.</summary>
    public DateTime First => _first;

    /// <summary>The number of minutes.</summary>
    public int Minutes => _requests.Count;

    /// <summary>Reads a file.</summary>
    /// <param name="path">The file; a name that ends in .gz is decompressed.</param>
    /// <returns>The load.</returns>
    /// <exception cref="LoadFileException">The file is damaged, a line has another form, or a minute is repeated or out of order.</exception>
    public static LoadTrace Read(string path)
    {
        using var file = File.OpenRead(path);
        using Stream stream = path.EndsWith(".gz", StringComparison.OrdinalIgnoreCase) ? new GZipStream(file, CompressionMode.Decompress) : file;
        using var reader = new StreamReader(stream);
        try
        {
            return Read(reader);
        }
        catch (InvalidDataException error)
        {
            throw new LoadFileException($"{Path.GetFileName(path)} is damaged, or not gzipped: {error.Message}", error);
        }
    }

    /// <summary>Reads a text.</summary>
    /// <param name="reader">The text.</param>
    /// <returns>The load.</returns>
    /// <exception cref="LoadFileException">A line has another form, or a minute is repeated or out of order.</exception>
    public static LoadTrace Read(TextReader reader)
    {
        var requests = new List<double>();
        DateTime first = default;
        if (reader.ReadLine()?.Trim() != "minute,requests")
            throw new LoadFileException("A load file begins with the line \"minute,requests\".");
        for (var number = 2; reader.ReadLine() is { } line; number++)
        {
            // An empty line at the end is no minute.
            if (string.IsNullOrWhiteSpace(line) && string.IsNullOrWhiteSpace(reader.ReadToEnd()))
                break;
            var comma = line.IndexOf(',', StringComparison.Ordinal);
            if (comma < 0
                || !DateTime.TryParseExact(line[..comma], "yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out var minute)
                || !double.TryParse(line[(comma + 1)..], NumberStyles.Float, CultureInfo.InvariantCulture, out var count) || !(count is >= 0 and <= Most))
            {
                throw new LoadFileException($"Line {number} is \"{line}\", not a minute and a number of requests from 0 to 1e12.");
            }

            if (requests.Count == 0)
                first = minute;
            var expected = first.AddMinutes(requests.Count);
            if (minute < expected || minute.Second != first.Second || minute > expected.AddDays(LongestGap))
                throw new LoadFileException(FormattableString.Invariant($"Line {number} is for {minute:yyyy-MM-dd HH:mm:ss}; after the line before, {expected:yyyy-MM-dd HH:mm:ss} or a little later is expected."));
            // Missing minutes are stored as NaN. `Means` fails only if the requested time contains one.
            for (; minute > expected; expected = expected.AddMinutes(1))
                requests.Add(double.NaN);
            requests.Add(count);
        }

        return requests.Count > 0 ? new LoadTrace(first, requests) : throw new LoadFileException("The load file has no minutes.");
    }

    /// <summary>The mean load of each of several steps of equal length.</summary>
    /// <param name="from">The first minute, in UTC.</param>
    /// <param name="minutes">The number of minutes.</param>
    /// <param name="step">The minutes of a step. At least 1.</param>
    /// <returns>Mean requests per minute of each step.</returns>
    /// <exception cref="LoadFileException">The trace does not cover the time, or has a gap in it.</exception>
    public IReadOnlyList<double> Means(DateTime from, int minutes, int step)
    {
        var start = (int)(from - _first).TotalMinutes;
        if (start < 0 || start + minutes > _requests.Count)
            throw new LoadFileException(FormattableString.Invariant($"The load goes from {_first:yyyy-MM-dd HH:mm} to {_first.AddMinutes(_requests.Count):yyyy-MM-dd HH:mm}; {from:yyyy-MM-dd HH:mm} and the {minutes} minutes after it are not all in it."));
        var gap = _requests.FindIndex(start, minutes, double.IsNaN);
        if (gap >= 0)
            throw new LoadFileException(FormattableString.Invariant($"The load has a gap: {_first.AddMinutes(gap):yyyy-MM-dd HH:mm} is missing."));
        return [.. Enumerable.Range(0, minutes / step).Select(i => _requests.Skip(start + i * step).Take(step).Average())];
    }
}
