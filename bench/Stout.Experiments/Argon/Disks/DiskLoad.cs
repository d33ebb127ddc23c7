namespace Stout.Experiments.Argon.Disks;

/// <summary>One service on a real disk: threads that each read one block or one piece of a stream after the other.</summary>
/// <param name="Name">The service.</param>
/// <param name="Threads">The requests in flight.</param>
/// <param name="Streams">It reads from the begin to the end; otherwise at random.</param>
/// <param name="Hot">The bytes that receive four of five random reads; 0 without hot bytes.</param>
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

    /// <summary>Reads until the time has come.</summary>
    /// <param name="read">Reads from an offset.</param>
    /// <param name="seed">Seeds the offsets.</param>
    /// <param name="cancellationToken">The end.</param>
    /// <returns>The reads.</returns>
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
