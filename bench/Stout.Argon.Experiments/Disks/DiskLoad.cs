namespace Stout.Argon.Experiments.Disks;

/// <summary>One service on a real disk. Each of its threads reads blocks, or pieces of a stream, one after the other.</summary>
/// <param name="Name">The service's name.</param>
/// <param name="Threads">The number of threads, and so of requests in flight.</param>
/// <param name="Streams">Whether a thread reads the file in order, beginning at a random offset and continuing at 0 after the end. Otherwise it reads at random
/// offsets.</param>
/// <param name="Hot">The bytes at the file's beginning that receive four of five random reads; 0 if reads are uniform.</param>
internal sealed record DiskLoad(string Name, int Threads = 1, bool Streams = false, long Hot = 0)
{
    private const int Block = 4096;
    private const int Piece = 64 * 1024;

    /// <summary>The size of each service's file.</summary>
    public const long FileBytes = 1L << 30;

    /// <summary>The three mixes of the measurement.</summary>
    public static IReadOnlyList<(string Name, IReadOnlyList<DiskLoad> Services)> Mixes { get; } =
    [
        ("two streams", [new("stream 1", Streams: true), new("stream 2", Streams: true)]),
        ("cached random beside a stream", [new("cached random", Hot: 16 << 20), new("stream", Streams: true)]),
        ("27 against 1", [new("27 in flight", 27), new("1 in flight")]),
    ];

    /// <summary>Reads until the token is canceled.</summary>
    /// <param name="read">Reads from an offset of the service's file into a buffer.</param>
    /// <param name="seed">Seeds the offsets.</param>
    /// <param name="cancellationToken">Ends the run.</param>
    /// <returns>The number of reads.</returns>
    public long Run(Action<long, Memory<byte>> read, int seed, CancellationToken cancellationToken)
    {
        var random = new Random(seed);
        var buffer = new byte[Streams ? Piece : Block];
        var next = Streams ? random.NextInt64(FileBytes / Piece) * Piece : 0;
        var reads = 0L;
        for (; !cancellationToken.IsCancellationRequested; reads++)
        {
            read(Streams ? next : Offset(random), buffer);
            next = (next + Piece) % FileBytes;
        }

        return reads;
    }

    private long Offset(Random random) => random.NextInt64((Hot > 0 && random.Next(5) > 0 ? Hot : FileBytes) / Block) * Block;
}
