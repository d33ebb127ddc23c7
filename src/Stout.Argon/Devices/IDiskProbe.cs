namespace Stout.Argon.Devices;

/// <summary>Reads a disk for the calibration: a real one, or a model in virtual time.</summary>
internal interface IDiskProbe
{
    /// <summary>The bytes of written data over which the random reads are spread.</summary>
    long Span { get; }

    /// <summary>Reads for a while with several readers at once.</summary>
    /// <param name="readers">The number of readers of single blocks at random positions. Each has one read at the disk.</param>
    /// <param name="streamBytes">The size of the reads of a reader that reads in sequence; 0 for no such reader.</param>
    /// <returns>The random reads per second, and the bytes per second of the sequential reader.</returns>
    (double Reads, double Bytes) Run(int readers, int streamBytes);
}
