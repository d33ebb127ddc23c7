using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;
using Stout.Lanes.Core;

namespace Stout.Experiments.Model;

/// <summary>Records the requests and replies of a run in virtual time. Message objects are reused.</summary>
internal sealed class ModelRecorder(Scenario scenario)
{
    private readonly Stack<ModelMessage> _spare = new();

    /// <summary>The measurements that runs in real and in virtual time share.</summary>
    public RunRecorder Run { get; } = new(new RunFigures(scenario));

    /// <summary>Records that a client sends a request.</summary>
    /// <returns>The message that carries the reply.</returns>
    public ModelMessage Arrived(int tier, bool isWrite, TimeSpan now)
    {
        Run.Asked(now);
        if (!_spare.TryPop(out var message))
            message = new ModelMessage();
        message.ArrivedAt = now;
        message.IsWrite = isWrite;
        message.Tier = tier;
        return message;
    }

    /// <summary>Records that the replies of a chain of messages leave, and takes the messages back for reuse.</summary>
    public void Released(ModelMessage chain, TimeSpan now)
    {
        for (ModelMessage? message = chain, next; message is not null; message = next)
        {
            next = (ModelMessage?)message.Next;
            message.Next = null;
            Run.Answered(new ClientRequest(message.ArrivedAt, message.IsWrite, message.Tier, message.Partition), now);
            message.Client?.Replied(now);
            message.Client = null;
            _spare.Push(message);
        }
    }

    public void Sent(WriteRequest request, in StoreAnswer answer, TimeSpan latency) =>
        Run.Sent(new StoreTraffic(1, request.Count, request.Batch.Bytes, answer.RetryAfter is null ? 0 : request.Count, latency));
}
