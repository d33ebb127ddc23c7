using Stout.Experiments.Workloads;

namespace Stout.Experiments.Model;

/// <summary>
/// A client that waits for each reply, thinks, and asks the same middle tier again: a closed load, whose requests follow the batches. <c>Happen</c> sends one
/// request.
/// </summary>
internal sealed class WaitingClient(EventQueue events, Scenario scenario, int tier, ModelTier asked, ModelRecorder recorder, Random random) : IModelEvent
{
    private readonly int _documents = scenario.Documents / scenario.Tiers;

    public void Start() => Replied(TimeSpan.Zero);

    public void Happen(TimeSpan now)
    {
        var isWrite = random.NextDouble() < scenario.WriteShare;
        var reply = recorder.Arrived(tier, isWrite, now);
        reply.Client = this;
        var document = random.Next(_documents);
        if (isWrite)
            asked.Write(document, reply, now);
        else
            asked.Read(document, reply, now);
    }

    public void Replied(TimeSpan now) => events.Schedule(now + (-Math.Log(1 - random.NextDouble()) * scenario.Closed!.Think), this);
}
