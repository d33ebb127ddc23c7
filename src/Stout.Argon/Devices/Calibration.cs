using System.Globalization;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Devices;

/// <summary>
/// Measures the cost of requests to a disk at the first start: takes some seconds, and writes 48 MiB. A file in the folder keeps the result. A later start
/// measures again when the folder's data has grown by more than a factor of four, since random reads are then farther apart.
/// </summary>
internal static class Calibration
{
    private const string ResultFile = "cost";

    /// <summary>The growth of the data beyond which a result no longer counts.</summary>
    private const int Growth = 4;

    /// <summary>The cost that is assumed after an implausible measurement. It causes long accesses and quanta, which increase latency but keep throughput.</summary>
    public static DiskProfile Safe { get; } = new(new DeviceCost(TimeSpan.FromMilliseconds(10), 100e6), 0, 1, 1, 0, 0, 0, 0);

    /// <summary>Returns the result of an earlier measurement from the folder; without such a result, measures the disk.</summary>
    public static DiskProfile Load(string folder, bool buffered)
    {
        var path = Path.Combine(folder, ResultFile);
        if (File.Exists(path) && Parse(File.ReadAllText(path)) is { } known && FolderProbe.DataOf(folder) <= Growth * known.SpanBytes)
            return known;
        var profile = Sensible(Measure(folder, buffered));
        File.WriteAllText(path, Format(profile));
        return profile;
    }

    /// <summary>The measured profile if it is plausible, otherwise <see cref="Safe"/>.</summary>
    public static DiskProfile Sensible(DiskProfile measured)
    {
        var cost = measured.Cost;
        return cost.Positioning >= TimeSpan.FromMicroseconds(1) && cost.Positioning <= TimeSpan.FromSeconds(1) && cost.BytesPerSecond is >= 1e5 and <= 1e11 ? measured : Safe;
    }

    public static string Format(DiskProfile profile) => string.Create(
        CultureInfo.InvariantCulture,
        $"{profile.Cost.Positioning.TotalSeconds:R} {profile.Cost.BytesPerSecond:R} {profile.SpanBytes} {profile.Concurrency:R} {profile.MoreConcurrency:R} {profile.RandomBesideStream:R} {profile.StreamBesideRandom:R} {profile.ReadsBesideWrites:R} {profile.WritesBesideReads:R}\n");

    public static DiskProfile? Parse(string text)
    {
        var values = text.Split(' ', StringSplitOptions.TrimEntries).Select(part => double.TryParse(part, CultureInfo.InvariantCulture, out var value) ? value : double.NaN).ToList();
        if (values.Count != 9 || !values.TrueForAll(value => value is >= 0 and < 1e18) || values[0] is not (> 0 and < 1e3) || !(values[1] > 0))
            return null;
        var profile = new DiskProfile(new DeviceCost(TimeSpan.FromSeconds(values[0]), values[1]), (long)values[2], values[3], values[4], values[5], values[6], values[7], values[8]);
        return Sensible(profile) == profile ? profile : null;
    }

    private static DiskProfile Measure(string folder, bool buffered)
    {
        try
        {
            using var probe = new FolderProbe(folder, buffered, TimeProvider.System);
            return DiskProfile.Of(probe);
        }
        catch (IOException error) when (error.HResult == Native.NoSpace)
        {
            throw new DiskFullException(error);
        }
    }
}
