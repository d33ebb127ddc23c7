using System.IO.Compression;
using System.Text.Json;
using System.Text.Json.Serialization;
using Stout.Director.Actions;
using Stout.Director.Layouts;
using Stout.Director.Loads;

namespace Stout.Director.Recordings;

/// <summary>
/// Records a Director's inputs in a stream: gzipped JSON, one line an input. Dispose it to mark the recording as whole. Not thread-safe.
/// </summary>
public sealed class RecordingWriter : IDirectorRecorder, IDisposable
{
    internal const int Version = 1;

    internal static readonly JsonSerializerOptions Form = new(JsonSerializerDefaults.Web) { DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, RespectNullableAnnotations = true };

    private readonly GZipStream _stream;
    private Layout? _layout;
    private IReadOnlyList<ServerState> _servers = [];
    private IReadOnlyList<long>? _bytes;
    private long _count;

    /// <summary>Begins a recording.</summary>
    /// <param name="stream">Receives the recording; stays open.</param>
    /// <param name="settings">The Director's settings.</param>
    /// <param name="startedAt">The time of day at the Director's time 0; null in a simulation.</param>
    public RecordingWriter(Stream stream, DirectorSettings settings, DateTimeOffset? startedAt = null)
    {
        _stream = new GZipStream(stream, CompressionLevel.Fastest, leaveOpen: true);
        Write(new RecordedHeader(Version, settings, startedAt));
    }

    /// <inheritdoc/>
    public void Began(TimeSpan now, long epoch, IReadOnlyList<DirectorAction> intents) =>
        Add(new RecordedEntry { Kind = EntryKind.Begin, At = now, Epoch = epoch, Intents = intents });

    /// <inheritdoc/>
    public void Planned(TimeSpan now, ClusterObservation observation)
    {
        Observed(EntryKind.Plan, now, observation, [.. observation.Reports.Select(Flat)]);
        // A recording can be read up to the last plan while the Director still runs.
        _stream.Flush();
    }

    /// <inheritdoc/>
    public void Advanced(TimeSpan now, ClusterObservation observation) => Observed(EntryKind.Advance, now, observation, null);

    /// <inheritdoc/>
    public void Approved(TimeSpan now, IReadOnlyList<long> actions) => Add(new RecordedEntry { Kind = EntryKind.Approve, At = now, Approved = actions });

    /// <inheritdoc/>
    public void Answered(ClusterCommand command, CommandOutcome outcome) =>
        Add(new RecordedEntry { Kind = EntryKind.Answer, Action = command.Action, IsLease = command is LeaseServer, Outcome = outcome });

    /// <summary>Marks the recording as whole and flushes the buffer.</summary>
    public void Dispose()
    {
        Write(new RecordedEntry { Kind = EntryKind.End, Count = _count });
        _stream.Dispose();
    }

    private static RecordedReport Flat(ServerReport report) =>
        new(report.Server, report.Sequence, report.Age, [.. report.Visits.SelectMany(visits => new[] { visits.Bin, visits.Gets, visits.Puts })]);

    private void Observed(EntryKind kind, TimeSpan now, ClusterObservation observation, IReadOnlyList<RecordedReport>? reports)
    {
        Add(new RecordedEntry
        {
            Kind = kind,
            At = now,
            Layout = Changes(observation.Layout),
            Servers = observation.Servers.SequenceEqual(_servers) ? null : observation.Servers,
            Copies = observation.Copies.Count > 0 ? observation.Copies : null,
            Reports = reports,
            Orders = observation.Orders.Count > 0 ? observation.Orders : null,
            SlowShare = observation.SlowShare,
            Bytes = ReferenceEquals(observation.BinBytes, _bytes) ? null : observation.BinBytes,
        });
        (_layout, _servers, _bytes) = (observation.Layout, observation.Servers, observation.BinBytes);
    }

    private RecordedLayout? Changes(Layout layout)
    {
        if (ReferenceEquals(layout, _layout))
            return null;
        var changed = Enumerable.Range(0, layout.Bins).Where(bin => _layout is null || !layout.Replicas(bin).SequenceEqual(_layout.Replicas(bin))).ToList();
        return new RecordedLayout(layout.Version, layout.Epoch, changed, [.. changed.Select(bin => layout.Replicas(bin).ToArray())]);
    }

    private void Add(RecordedEntry entry)
    {
        Write(entry);
        _count++;
    }

    private void Write<T>(T line)
    {
        JsonSerializer.Serialize(_stream, line, Form);
        _stream.WriteByte((byte)'\n');
    }
}
