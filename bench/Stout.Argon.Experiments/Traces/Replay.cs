using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Traces;

/// <summary>The requests of a trace, over and over.</summary>
internal sealed class Replay(BlockTrace trace) : IPattern
{
    private int _next;

    public IReadOnlyList<long> Objects => trace.Files;

    public Operation Next(Random random) => trace.Operations[_next++ % trace.Operations.Count];
}
