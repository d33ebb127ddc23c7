using Stout.Experiments.Laws;
using Stout.Experiments.Workloads;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Pacing;

namespace Stout.Experiments.Model;

/// <summary>A middle tier: a lane for each store partition, a law for each lane or one for all, and the documents that it owns.</summary>
internal sealed class ModelTier
{
    private readonly ModelLane[] _lanes;
    private readonly (ModelLane Lane, KeyHandle Handle)[] _documents;
    private readonly int _handlesPerDocument;
    private readonly int[] _current;
    private readonly List<ReplaceableLaw> _replaceable = [];
    private readonly Func<double?, IPacingLaw> _newLaw;

    /// <param name="scenario">The scenario of the run.</param>
    /// <param name="number">The tier's number, from 0.</param>
    /// <param name="events">The run's events.</param>
    /// <param name="random">The tier's random numbers.</param>
    /// <param name="makeLane">Makes the lane to a partition.</param>
    public ModelTier(Scenario scenario, int number, EventQueue events, Random random, MakeLane makeLane)
    {
        var partitions = scenario.Store.Partitions;
        _newLaw = (number % 2 == 1 ? scenario.OtherLaw ?? scenario.Law : scenario.Law).Create;
        if (scenario.Scope == LawScope.Process)
        {
            var clock = new ProcessClock(events, NewLaw(scenario), StartPhase.Next(random));
            _lanes = [.. Enumerable.Range(0, partitions).Select(p => makeLane(p, clock.Law, clock))];
        }
        else
        {
            _lanes = [.. Enumerable.Range(0, partitions).Select(p => makeLane(p, NewLaw(scenario), null))];
        }

        var documents = (scenario.Documents - number + scenario.Tiers - 1) / scenario.Tiers;
        _current = new int[documents];
        _handlesPerDocument = scenario.WritesInFlightPerDocument;
        _documents =
        [
            .. from document in Enumerable.Range(0, documents)
               from handle in Enumerable.Range(0, _handlesPerDocument)
               select Open(_lanes[(number + document) % partitions], $"tier {number} document {document} handle {handle}"),
        ];
    }

    public IReadOnlyList<ModelLane> Lanes => _lanes;

    public void Write(int document, ModelMessage reply, TimeSpan now)
    {
        var (lane, handle) = Find(document);
        reply.Partition = lane.Partition;
        lane.Change(handle, SubKey.Root, now);
        lane.Send(handle, reply, now);
    }

    public void Read(int document, ModelMessage reply, TimeSpan now)
    {
        var (lane, handle) = Find(document);
        reply.Partition = lane.Partition;
        lane.Send(handle, reply, now);
    }

    // A key has at most one write in flight, so a document that may have several has several keys. A document's requests use one key until that key's write is
    // sent, and then the next free key.
    private (ModelLane Lane, KeyHandle Handle) Find(int document)
    {
        ref var current = ref _current[document];
        var first = document * _handlesPerDocument;
        for (var tried = 1; tried < _handlesPerDocument && _documents[first + current].Handle.Work is { BatchState: BatchState.Sent }; tried++)
            current = (current + 1) % _handlesPerDocument;
        return _documents[first + current];
    }

    /// <summary>Replaces the laws by new ones that begin with this interval.</summary>
    public void RestartLaws(double intervalMilliseconds)
    {
        foreach (var law in _replaceable)
            law.Law = _newLaw(intervalMilliseconds);
    }

    // Wraps the law only if the scenario restarts laws.
    private IPacingLaw NewLaw(Scenario scenario)
    {
        var law = _newLaw(null);
        if (scenario.Disturbance is null)
            return law;
        var replaceable = new ReplaceableLaw(law);
        _replaceable.Add(replaceable);
        return replaceable;
    }

    private static (ModelLane Lane, KeyHandle Handle) Open(ModelLane lane, string key) => (lane, lane.Open(key));
}

/// <summary>Makes a middle tier's lane to one store partition.</summary>
internal delegate ModelLane MakeLane(int partition, IPacingLaw law, ProcessClock? clock);
