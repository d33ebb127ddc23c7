using System.IO.Compression;
using Stout.Argon.Engine;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Traces;

/// <summary>The requests that a program made to its files, in blocks, in order.</summary>
/// <param name="Files">The largest size of each file, in blocks.</param>
/// <param name="Operations">The requests. The object of a request is the index of its file in <paramref name="Files"/>.</param>
internal sealed record BlockTrace(IReadOnlyList<long> Files, IReadOnlyList<Operation> Operations)
{
    /// <summary>The trace of TPC-C's transactions new order and payment on SQLite, recorded by <c>record</c>.</summary>
    public static BlockTrace Oltp { get; } = Load("oltp.trace");

    /// <summary>The trace of TPC-H's query 3 on SQLite, recorded by <c>record</c>.</summary>
    public static BlockTrace Query { get; } = Load("q3.trace");

    /// <summary>
    /// Saves the trace as compressed numbers of variable length. A request's first block is saved as its distance from the end of the last request to the
    /// same file.
    /// </summary>
    public void Save(string path)
    {
        using var brotli = new BrotliStream(File.Create(path), CompressionLevel.SmallestSize);
        using var writer = new BinaryWriter(brotli);
        writer.Write7BitEncodedInt(Files.Count);
        foreach (var blocks in Files)
            writer.Write7BitEncodedInt64(blocks);
        writer.Write7BitEncodedInt(Operations.Count);
        var ends = new long[Files.Count];
        foreach (var operation in Operations)
        {
            writer.Write((byte)((operation.Object << 2) | (int)operation.Kind));
            if (operation.Kind == RequestKind.Flush)
                continue;
            var distance = operation.First - ends[operation.Object];
            writer.Write7BitEncodedInt64((distance << 1) ^ (distance >> 63));
            writer.Write7BitEncodedInt(operation.Count);
            ends[operation.Object] = operation.First + operation.Count;
        }
    }

    private static BlockTrace Load(string name)
    {
        using var stream = typeof(BlockTrace).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException($"{name} is not embedded.");
        using var reader = new BinaryReader(new BrotliStream(stream, CompressionMode.Decompress));
        var files = new long[reader.Read7BitEncodedInt()];
        for (var i = 0; i < files.Length; i++)
            files[i] = reader.Read7BitEncodedInt64();
        var operations = new Operation[reader.Read7BitEncodedInt()];
        var ends = new long[files.Length];
        for (var i = 0; i < operations.Length; i++)
        {
            var head = reader.ReadByte();
            var (kind, file) = ((RequestKind)(head & 3), head >> 2);
            if (kind == RequestKind.Flush)
            {
                operations[i] = new Operation(kind, file, 0, 0);
                continue;
            }

            var folded = reader.Read7BitEncodedInt64();
            var first = ends[file] + ((folded >> 1) ^ -(folded & 1));
            var count = reader.Read7BitEncodedInt();
            operations[i] = new Operation(kind, file, first, count);
            ends[file] = first + count;
        }

        return new BlockTrace(files, operations);
    }
}
