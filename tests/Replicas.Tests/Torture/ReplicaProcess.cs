using ReplicaUnderTest;
using Stout.Tests.Shared;

namespace Replicas.Tests.Torture;

/// <summary>A replica in a process of its own.</summary>
internal sealed class ReplicaProcess(IReadOnlyDictionary<string, string> environment)
    : AskedProcess<Request, Answer>("ReplicaUnderTest", [], environment, ProtocolJson.Default.Request, ProtocolJson.Default.Answer)
{
    protected override Request Number(Request request, long id) => request with { Id = id };

    protected override long NumberOf(Answer answer) => answer.Id;

    protected override Answer NotRunning(long id) => new(id, Outcome.NotDone, Error: "The replica was not running.");
}
