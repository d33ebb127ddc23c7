namespace Stout.Argon.Devices;

/// <summary>Reads a disk for the calibration: a real one, or a model in virtual time.</summary>
internal interface IDiskProbe
{
    /// <summary>The bytes of written data over which the random reads are spread.</summary>
    long Span { get; }

    /// <summary>Reads for a while with several readers at once.</summary>
    /// <param name="readers">The number of readers of single blocks at random positions. Each has one read at the disk.</param>
    /// <param name="streamBytes">The size of the reads of a reader that reads in sequence; 0 for no such reader.</param>
    /// <param name="writes">Whether a writer writes single blocks at random positions, with one write at the disk.</param>
    /// <returns>The random reads per second, the bytes per second of the sequential reader, and the writes per second.</returns>
    (double Reads, double Bytes, double Writes) Run(int readers, int streamBytes, bool writes = false);
}
