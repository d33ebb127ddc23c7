using Authors.Editing;
using Stout.Experiments.Live.Stores;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;
using Stout.Pacing;

namespace Stout.Experiments.Live.Editing;

/// <summary>Replays editing histories in one middle tier on a real store, and then reads the documents back from the store.</summary>
internal sealed class LiveReplay : IStoutApplication
{
    private readonly Dictionary<string, LiveDocument> _documents = [];
    private readonly List<LaneLaw> _lanes = [];
    private readonly Scenario _scenario;

    // The duration has no bound: the replay is over when the last author has typed the last character.
    private LiveReplay(Scenario scenario) => _scenario = scenario with { Duration = TimeSpan.MaxValue };

    public static async Task<EditingFigures> RunAsync(
        IRealStore store, IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings settings, TimeProvider time, CancellationToken cancellationToken)
    {
        var replay = new LiveReplay(scenario);
        // Fresh names, so the documents do not exist yet.
        var name = Guid.NewGuid().ToString("N");
        var authors = histories.ToDictionary(history => new PartitionKey($"{name} {history.Name}"), history => new Author(history, settings));
        var run = await replay.TypeAsync(store, authors, time, cancellationToken);
        var stored = await StoredTexts.ReadAsync(store.Connect(), authors.Keys, cancellationToken);
        return new EditingFigures(
            run, authors.Values.Sum(author => author.Keystrokes), authors.Values.Sum(author => author.WritesAsked),
            authors.All(pair => stored[pair.Key.Text] == pair.Value.EndContent));
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
            _documents[batch[i].Key.Text].Serialize(batch[i]);
        return default;
    }

    private async Task<RunFigures> TypeAsync(IRealStore store, Dictionary<PartitionKey, Author> authors, TimeProvider time, CancellationToken cancellationToken)
    {
        var options = new StoutOptions { Pacing = NewLaw };
        var client = await StoutClient.OpenAsync(store.Connect(), this, options, cancellationToken: cancellationToken);
        LiveRecorder recorder;
        await using (client)
        {
            foreach (var (key, author) in authors)
                _documents[key.Text] = new LiveDocument(author, await client.OpenAsAbsentAsync(key, cancellationToken: cancellationToken));
            recorder = new LiveRecorder(_scenario, time);
            recorder.BeginMeasuring(TimeSpan.Zero);
            await ClientThread.RunAsync(() => GoOn(recorder), cancellationToken);
            await recorder.DrainAsync(cancellationToken);
        }

        return recorder.End(recorder.Now, _lanes.Aggregate(default(StoreTraffic), (sum, lane) => sum + lane.Traffic));
    }

    private bool GoOn(LiveRecorder recorder)
    {
        var now = recorder.Now;
        var isLeft = false;
        foreach (var document in _documents.Values)
        {
            document.Advance(now, recorder);
            isLeft |= document.Author.NextAt is not null;
        }

        return isLeft;
    }

    private LaneLaw NewLaw()
    {
        var law = new LaneLaw { Law = _scenario.Law.Create(null) };
        _lanes.Add(law);
        return law;
    }
}
