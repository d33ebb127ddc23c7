using Stout.Experiments.Laws;
using Stout.Experiments.Workloads;
using Stout.Pacing;

namespace Stout.Experiments.Model;

/// <summary>A middle tier: a lane for each store partition, a law for each lane or one for all, and the documents that it owns.</summary>
internal sealed class ModelTier
{
    private readonly ModelLane[] _lanes;
    private readonly (ModelLane Lane, KeyHandle Handle)[] _documents;
    private readonly ReplaceableLaw[] _replaceable;
    private readonly Func<double?, IPacingLaw> _newLaw;

    /// <param name="scenario">The run.</param>
    /// <param name="number">The tier's, from 0.</param>
    /// <param name="makeLane">Makes the lane to a partition, with its law.</param>
    public ModelTier(Scenario scenario, int number, Func<int, IPacingLaw, ModelLane> makeLane)
    {
        var partitions = scenario.Store.Partitions;
        _newLaw = scenario.Law(number).Create;
        IPacingLaw[] laws = scenario.Scope == LawScope.Process ? [_newLaw(null)] : [.. Enumerable.Range(0, partitions).Select(_ => _newLaw(null))];
        _replaceable = scenario.Disturbance is null ? [] : [.. laws.Select(law => new ReplaceableLaw(law))];
        _lanes = [.. Enumerable.Range(0, partitions).Select(p => makeLane(p, LawOf(p)))];
        var documents = (scenario.Documents - number + scenario.Tiers - 1) / scenario.Tiers;
        _documents = [.. Enumerable.Range(0, documents).Select(d => Open(_lanes[d % partitions], $"tier {number} document {d}"))];

        IPacingLaw LawOf(int partition)
        {
            var index = partition % laws.Length;
            return scenario.Disturbance is null ? laws[index] : _replaceable[index];
        }
    }

    public IReadOnlyList<ModelLane> Lanes => _lanes;

    public void Write(int document, ModelMessage reply, TimeSpan now)
    {
        var (lane, handle) = _documents[document];
        reply.Partition = lane.Partition;
        lane.Write(handle, reply, now);
    }

    public void Read(int document, ModelMessage reply, TimeSpan now)
    {
        var (lane, handle) = _documents[document];
        reply.Partition = lane.Partition;
        lane.Read(handle, reply, now);
    }

    /// <summary>The laws start anew, with this interval.</summary>
    public void RestartLaws(double intervalMilliseconds)
    {
        foreach (var law in _replaceable)
            law.Law = _newLaw(intervalMilliseconds);
    }

    private static (ModelLane Lane, KeyHandle Handle) Open(ModelLane lane, string key) => (lane, lane.Open(key));
}
