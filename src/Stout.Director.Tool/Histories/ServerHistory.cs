namespace Stout.Director.Tool.Histories;

/// <summary>The visits of one server, or of several servers together.</summary>
internal sealed record ServerHistory
{
    /// <summary>The value of the label or column that named the server; "all" for all servers together.</summary>
    public required string Name { get; init; }

    /// <summary>The number of servers in each step, where the entry is about several; null: one.</summary>
    public double[]? Count { get; init; }

    /// <summary>Reads per second in each step, of all servers of the entry together; NaN (in the file: null) where it is unknown.</summary>
    public required double[] Reads { get; init; }

    /// <summary>Writes per second in each step; NaN where it is unknown.</summary>
    public required double[] Writes { get; init; }

    /// <summary>
    /// For each step, reads per second in each bucket of <see cref="ServiceHistory.Buckets"/>, and last those slower than every bucket. A step is null where the
    /// latency is unknown; the list is null where no step has one.
    /// </summary>
    public double[]?[]? Latency { get; init; }

    /// <summary>The mean utilization of the processor in each step, from 0 to 1; null where no step has one.</summary>
    public double[]? Utilization { get; init; }
}
