namespace Stout.Director.Tool.Histories;

/// <summary>The clients' load of one bin.</summary>
internal sealed record BinHistory
{
    /// <summary>The value of the label or column that named the bin.</summary>
    public required string Name { get; init; }

    /// <summary>Reads per second in each step; NaN (in the file: null) where it is unknown.</summary>
    public required double[] Reads { get; init; }

    /// <summary>Writes per second in each step; NaN where it is unknown.</summary>
    public required double[] Writes { get; init; }

    /// <summary>The bin's size in bytes. Default: 0, for a bin that has no data to copy.</summary>
    public long Bytes { get; init; }
}
