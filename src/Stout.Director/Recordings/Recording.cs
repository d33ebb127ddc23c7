using System.IO.Compression;
using System.Text.Json;
using Stout.Director.Layouts;
using Stout.Director.Loads;

namespace Stout.Director.Recordings;

/// <summary>The recorded inputs of a Director, read from a stream.</summary>
internal sealed class Recording
{
    private readonly List<RecordedEntry> _entries;

    private Recording(RecordedHeader header, List<RecordedEntry> entries, bool isWhole) =>
        (Settings, StartedAt, _entries, IsWhole) = (header.Settings, header.StartedAt, entries, isWhole);

    /// <summary>The settings of the Director that was recorded.</summary>
    public DirectorSettings Settings { get; }

    /// <summary>The time of day at the Director's time 0; null in a simulation.</summary>
    public DateTimeOffset? StartedAt { get; }

    /// <summary>Whether the recording was ended properly.</summary>
    public bool IsWhole { get; }

    /// <summary>Reads a recording.</summary>
    /// <param name="stream">The stream that a <see cref="RecordingWriter"/> wrote.</param>
    /// <param name="acceptTruncated">Whether to read the whole entries of a truncated recording, for example of a Director that died. Default: no.</param>
    /// <returns>The recording.</returns>
    /// <exception cref="RecordingException">The recording is truncated, damaged or of another version.</exception>
    public static Recording Read(Stream stream, bool acceptTruncated = false)
    {
        using var reader = new StreamReader(new GZipStream(stream, CompressionMode.Decompress, leaveOpen: true));
        var header = Parse<RecordedHeader>(Line(reader), "header");
        if (header.Recording != RecordingWriter.Version || header.Settings is null)
            throw new RecordingException($"The recording has version {header.Recording}; this library reads version {RecordingWriter.Version}.");
        header.Settings.Check();
        var entries = new List<RecordedEntry>();
        while (true)
        {
            RecordedEntry entry;
            try
            {
                entry = Parse<RecordedEntry>(Line(reader), $"line {entries.Count + 2}");
            }
            catch (RecordingException) when (acceptTruncated && IsAtEnd(reader))
            {
                return new Recording(header, entries, isWhole: false);
            }

            if (entry.Kind != EntryKind.End)
                entries.Add(entry);
            else if (entry.Count == entries.Count)
                return new Recording(header, entries, isWhole: true);
            else
                throw new RecordingException($"The recording has {entries.Count} entries; its end says {entry.Count}.");
        }
    }

    /// <summary>Feeds the recorded inputs to a new Director. The same version of this library makes the same decisions, bit for bit.</summary>
    /// <returns>Each plan and each set of commands, in order.</returns>
    public IEnumerable<ReplayedStep> Replay() => new RecordingReplay(Settings, _entries).Run();

    /// <summary>The clients' load as the recorded Director measured it, plan by plan.</summary>
    /// <returns>The time of each plan and the rates of every bin.</returns>
    public IEnumerable<(TimeSpan At, LoadHistogram Load)> Loads()
    {
        var reports = new ReportCollector(Settings);
        foreach (var (entry, observation) in RecordingReplay.Observations(_entries))
        {
            if (entry.Kind != EntryKind.Plan || !TryAdd(reports, entry.At, observation))
                continue;
            yield return (entry.At, new LoadHistogram([.. reports.Rates]));
        }
    }

    // An observation that the recorded Director refused has no load.
    private bool TryAdd(ReportCollector reports, TimeSpan at, ClusterObservation observation)
    {
        try
        {
            ObservationChecks.Check(observation, Settings);
            reports.Add(at, observation);
            return true;
        }
        catch (DirectorException error) when (error is ObservationException or UnknownBinException)
        {
            return false;
        }
    }

    /// <summary>The cluster at each plan, for comparison with other policies.</summary>
    /// <returns>The time of each plan and the cluster.</returns>
    public IEnumerable<(TimeSpan At, ClusterObservation Observation)> Plans() =>
        RecordingReplay.Observations(_entries).Where(one => one.Entry.Kind == EntryKind.Plan).Select(one => (one.Entry.At, one.Observation));

    private static string Line(StreamReader reader)
    {
        try
        {
            return reader.ReadLine() ?? throw new RecordingException("The recording is truncated: its end is missing.");
        }
        catch (InvalidDataException error)
        {
            throw new RecordingException("The recording is damaged, or not a recording.", error);
        }
    }

    // A line that can't be read is cut off if it is the last one. Before others, it is damaged.
    private static bool IsAtEnd(StreamReader reader)
    {
        try
        {
            return reader.ReadLine() is null;
        }
        catch (InvalidDataException)
        {
            return true;
        }
    }

    private static T Parse<T>(string line, string where)
    {
        try
        {
            return JsonSerializer.Deserialize<T>(line, RecordingWriter.Form) ?? throw new RecordingException($"The recording's {where} is empty.");
        }
        catch (JsonException error)
        {
            throw new RecordingException($"The recording is truncated or damaged: its {where} can't be read.", error);
        }
    }
}
