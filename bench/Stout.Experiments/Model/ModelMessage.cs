using Stout.Lanes.Core;

namespace Stout.Experiments.Model;

/// <summary>A client's request that waits for its reply: released when the changes that the reply depends on are durable.</summary>
internal sealed class ModelMessage : Message
{
    /// <summary>The intended start of the request. Latency counts from here.</summary>
    public TimeSpan ArrivedAt { get; set; }

    public bool IsWrite { get; set; }

    public int Tier { get; set; }

    public int Partition { get; set; }

    /// <summary>The client that waits for the reply before its next request; null with an open load.</summary>
    public WaitingClient? Client { get; set; }
}
