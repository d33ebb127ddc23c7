namespace Stout.Benchmarks.Peers;

/// <summary>A way to keep records: each call is one write, durable before its reply.</summary>
internal interface IPeer : IAsyncDisposable
{
    /// <summary>How a write becomes durable before its reply.</summary>
    string Durability { get; }

    /// <summary>Whether a write blocks its thread. Then each writer has a thread of its own.</summary>
    bool Blocks => false;

    /// <summary>Writes one record; completes when it is durable.</summary>
    ValueTask WriteAsync(Player player);
}
