using Authors.Editing;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Model.Editing;

/// <summary>Replays editing histories, one document each, in one middle tier with a law per lane.</summary>
internal static class EditingSimulation
{
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(10);

    public static EditingFigures Run(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings settings, CancellationToken cancellationToken)
    {
        var random = new Random(scenario.Seed);
        var events = new EventQueue();
        var recorder = new RunRecorder(scenario);
        var documents = new EditedDocuments();
        ModelLane[] lanes = [.. Enumerable.Range(0, scenario.Store.Partitions).Select(NewLane)];
        for (var i = 0; i < histories.Count; i++)
        {
            var document = new EditedDocument(histories[i], settings, events, recorder, lanes[i % lanes.Length]);
            documents.Add(histories[i].Name, document);
            document.Go();
        }

        recorder.BeginMeasuring(TimeSpan.Zero);
        while (recorder.Waiting > 0 || documents.All.Any(document => !document.IsFinished))
            events.RunUntil(events.Now + Step, cancellationToken);
        return new EditingFigures(recorder.End(events.Now), documents.All.Sum(document => document.Keystrokes), documents.All.Sum(document => document.WritesAsked), documents.AreStored());

        ModelLane NewLane(int partition)
        {
            var store = scenario.Store.Make(new Random(random.Next()), Model.Stores.StoreSpeed.Usual, 1);
            var place = new LanePlace(0, partition, scenario.Store, store, documents, events, recorder);
            return new ModelLane(place, Simulation.Options, scenario.Law.Create(null), null, new Random(random.Next()));
        }
    }
}

/// <summary>How histories are replayed.</summary>
/// <param name="Speed">Times as fast as they were written.</param>
/// <param name="SubKeys">Whether each section is a part of its own; otherwise a change writes the whole document.</param>
internal sealed record EditingSettings(double Speed, bool SubKeys);

/// <summary>What a replay has measured.</summary>
/// <param name="Run">Latencies of keystrokes, and what the store was sent.</param>
/// <param name="Keystrokes">All that were made.</param>
/// <param name="WritesAsked">Those that changed something.</param>
/// <param name="Verified">Whether the store holds the end of every history.</param>
internal sealed record EditingFigures(RunFigures Run, int Keystrokes, int WritesAsked, bool Verified);
