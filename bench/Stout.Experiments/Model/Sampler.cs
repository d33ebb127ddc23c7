using Stout.Experiments.Measuring;

namespace Stout.Experiments.Model;

/// <summary>Samples the run at even intervals: the waiting requests, and the mean batching interval of all lanes.</summary>
internal sealed class Sampler(EventQueue events, ModelTier[] tiers, RunRecorder recorder) : IModelEvent
{
    public void Start() => events.Schedule(events.Now + RunRecorder.SampleStep, this);

    public void Happen(TimeSpan now)
    {
        double intervals = 0;
        var lanes = 0;
        foreach (var tier in tiers)
        {
            foreach (var lane in tier.Lanes)
            {
                intervals += lane.Law.Interval.TotalMilliseconds;
                lanes++;
            }
        }

        recorder.Sample(intervals / lanes);
        Start();
    }
}
