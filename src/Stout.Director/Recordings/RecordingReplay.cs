using Stout.Director.Actions;
using Stout.Director.Layouts;
using Stout.Director.Loads;

namespace Stout.Director.Recordings;

/// <summary>Rebuilds observations from a recording's changes, and feeds them to a Director.</summary>
internal sealed class RecordingReplay(DirectorSettings settings, IReadOnlyList<RecordedEntry> entries)
{
    public IEnumerable<ReplayedStep> Run()
    {
        var core = new DirectorCore(settings);
        foreach (var (entry, observation) in Observations(entries))
        {
            switch (entry.Kind)
            {
                case EntryKind.Begin:
                    core = new DirectorCore(settings);
                    core.Begin(entry.At, entry.Epoch, entry.Intents ?? []);
                    break;
                case EntryKind.Plan:
                    yield return Plan(core, entry.At, observation);
                    break;
                case EntryKind.Approve:
                    core.Approve(entry.At, entry.Approved ?? []);
                    break;
                case EntryKind.Advance:
                    yield return new ReplayedStep(entry.At, null, core.Advance(entry.At, observation));
                    break;
                default:
                    core.Answered(entry.IsLease ? new LeaseServer(entry.Action, "") : new CancelCopy(entry.Action), entry.Outcome);
                    break;
            }
        }
    }

    // The recorded Director refused the same observation and went on with the next one.
    private static ReplayedStep Plan(DirectorCore core, TimeSpan at, ClusterObservation observation)
    {
        try
        {
            return new ReplayedStep(at, core.Plan(at, observation), []);
        }
        catch (DirectorException error) when (error is ObservationException or UnknownBinException)
        {
            return new ReplayedStep(at, null, []) { Refused = error.Message };
        }
    }

    /// <summary>Every entry, with the cluster as the Director had last observed it.</summary>
    public static IEnumerable<(RecordedEntry Entry, ClusterObservation Observation)> Observations(IReadOnlyList<RecordedEntry> entries)
    {
        Layout? layout = null;
        IReadOnlyList<ServerState> servers = [];
        IReadOnlyList<long> bytes = [];
        foreach (var entry in entries)
        {
            servers = entry.Servers ?? servers;
            bytes = entry.Bytes ?? bytes;
            if (entry.Layout is { } changes)
                layout = Apply(layout, changes, bytes.Count);
            var observation = new ClusterObservation(layout ?? new Layout([], 0, 0), servers, entry.Copies ?? [], [.. (entry.Reports ?? []).Select(Whole)], bytes)
            {
                Orders = entry.Orders ?? new Dictionary<int, ServerOrder>(),
                SlowShare = entry.SlowShare,
            };
            yield return (entry, observation);
        }
    }

    private static Layout Apply(Layout? layout, RecordedLayout changes, int bins)
    {
        var replicas = new int[bins][];
        for (var bin = 0; bin < bins; bin++)
            replicas[bin] = layout is null ? [] : layout.Replicas(bin).ToArray();
        for (var i = 0; i < changes.Bins.Count; i++)
        {
            if ((uint)changes.Bins[i] >= (uint)bins)
                throw new RecordingException($"The recording changes bin {changes.Bins[i]} of {bins}.");
            replicas[changes.Bins[i]] = changes.Replicas[i];
        }

        return new Layout(replicas, changes.Version, changes.Epoch);
    }

    private static ServerReport Whole(RecordedReport report) => new(
        report.Server, report.Sequence, report.Age,
        [.. Enumerable.Range(0, report.Visits.Length / 3).Select(i => new BinVisits((int)report.Visits[3 * i], report.Visits[3 * i + 1], report.Visits[3 * i + 2]))]);
}
