using System.Globalization;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Devices;

/// <summary>Measures the cost of requests to a disk at the first start: takes some seconds, and writes 48 MiB. A file in the folder keeps the result.</summary>
internal static class Calibration
{
    private const string ResultFile = "cost";
    private const int Chunk = 256;
    private const int Chunks = 48;
    private const int Reads = 128;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);

    /// <summary>
    /// The cost that is assumed after an implausible measurement. It causes long accesses and quanta, which increase latency but keep throughput.
    /// </summary>
    public static DeviceCost Safe { get; } = new(TimeSpan.FromMilliseconds(10), 100e6);

    /// <summary>Returns the result of an earlier measurement from the folder; without such a result, measures the disk.</summary>
    public static DeviceCost Load(string folder, bool buffered)
    {
        var path = Path.Combine(folder, ResultFile);
        if (File.Exists(path) && Parse(File.ReadAllText(path)) is { } known)
            return known;
        var cost = Sensible(Measure(folder, buffered));
        File.WriteAllText(path, string.Create(CultureInfo.InvariantCulture, $"{cost.Positioning.TotalSeconds:R} {cost.BytesPerSecond:R}\n"));
        return cost;
    }

    /// <summary>The measured cost if it is plausible, otherwise <see cref="Safe"/>.</summary>
    public static DeviceCost Sensible(DeviceCost measured) =>
        measured.Positioning >= TimeSpan.FromMicroseconds(1) && measured.Positioning <= TimeSpan.FromSeconds(1) && measured.BytesPerSecond is >= 1e5 and <= 1e11 ? measured : Safe;

    public static DeviceCost? Parse(string text)
    {
        var parts = text.Split(' ', StringSplitOptions.TrimEntries);
        if (parts.Length != 2 || !double.TryParse(parts[0], CultureInfo.InvariantCulture, out var seconds) || !double.TryParse(parts[1], CultureInfo.InvariantCulture, out var rate) || seconds is not (> 0 and < 1e3) || !(rate > 0))
            return null;
        var cost = new DeviceCost(TimeSpan.FromSeconds(seconds), rate);
        return Sensible(cost) == cost ? cost : null;
    }

    private static DeviceCost Measure(string folder, bool buffered)
    {
        var path = Path.Combine(folder, "calibration");
        File.Delete(path);
        using var slab = new NativeSlab(Chunk, ArgonOptions.BlockSize);
        var time = TimeProvider.System;
        try
        {
            using var file = ObjectFile.Create(path, buffered);
            file.Reserve((long)Chunks * Chunk * ArgonOptions.BlockSize);
            var frames = Enumerable.Range(0, Chunk).ToList();
            for (var chunk = 0; chunk < Chunks; chunk++)
                file.Write(slab, frames, (long)chunk * Chunk);
            file.Sync(0);
            // Reads the file sequentially, then single blocks at random positions. Each of the two measurements takes at most two seconds.
            var (start, read) = (time.GetTimestamp(), 0);
            while (read < Chunks && time.GetElapsedTime(start) < s_patience)
                file.Read(slab, frames, (long)read++ * Chunk);
            var rate = (double)read * Chunk * ArgonOptions.BlockSize / time.GetElapsedTime(start).TotalSeconds;
            var random = new Random(1);
            (start, read) = (time.GetTimestamp(), 0);
            for (; read < Reads && time.GetElapsedTime(start) < s_patience; read++)
                file.Read(slab, [0], random.Next(Chunks * Chunk));
            return new DeviceCost((time.GetElapsedTime(start) / read) - TimeSpan.FromSeconds(ArgonOptions.BlockSize / rate), rate);
        }
        catch (IOException error) when (error.HResult == Native.NoSpace)
        {
            throw new DiskFullException(error);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
