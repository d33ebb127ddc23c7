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
        var recorder = new ModelRecorder(scenario);
        var documents = new EditedDocuments();
        ModelLane[] lanes = [.. Enumerable.Range(0, scenario.Store.Partitions).Select(NewLane)];
        for (var i = 0; i < histories.Count; i++)
        {
            var document = new EditedDocument(new Author(histories[i], settings), events, recorder, lanes[i % lanes.Length]);
            documents.Add(document);
            document.Go();
        }

        recorder.Run.BeginMeasuring(TimeSpan.Zero);
        while (recorder.Run.Waiting > 0 || documents.All.Any(document => document.Author.NextAt is not null))
            events.RunUntil(events.Now + Step, cancellationToken);
        return new EditingFigures(recorder.Run.End(events.Now), documents.All.Sum(document => document.Author.Keystrokes), documents.All.Sum(document => document.Author.WritesAsked), documents.AreStored());

        ModelLane NewLane(int partition)
        {
            var store = scenario.Store.Make(new Random(random.Next()), Model.Stores.StoreSpeed.Usual, 1);
            var place = new LanePlace(0, partition, scenario.Store, store, documents, events, recorder);
            return new ModelLane(place, Simulation.Options, scenario.Law.Create(null), null, new Random(random.Next()));
        }
    }
}
