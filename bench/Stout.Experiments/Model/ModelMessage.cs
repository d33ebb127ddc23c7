using Stout.Lanes;

namespace Stout.Experiments.Model;

/// <summary>A client's request that waits for its reply: released when what it depends on is durable.</summary>
internal sealed class ModelMessage : Message
{
    /// <summary>When the client sent it, by the plan and not by when there was time: latency counts from here.</summary>
    public TimeSpan ArrivedAt { get; set; }

    public bool IsWrite { get; set; }

    public int Tier { get; set; }

    public int Partition { get; set; }

    /// <summary>The client that waits for it before its next request; null if no client does.</summary>
    public WaitingClient? Client { get; set; }
}
