namespace Stout.Argon.Engine;

/// <summary>The part of a read or write that one request to the core covers.</summary>
internal readonly record struct ObjectPiece(long Offset, int Bytes)
{
    private const int Block = ArgonOptions.BlockSize;

    /// <summary>The longest object: 8 TiB.</summary>
    public const long MaxLength = 1L << 43;

    public long First => Offset / Block;

    public long End => Offset + Bytes;

    public int Count => (int)(((End + Block - 1) / Block) - First);

    public bool PartialFirst => Offset % Block != 0 || (Count == 1 && PartialLast);

    public bool PartialLast => End % Block != 0;

    public static ObjectPiece Of(long offset, int bytes) => new(offset, (int)Math.Min(bytes, ((offset / Block) + Request.MaxBlocks) * Block - offset));

    /// <summary>The range of bytes that the piece covers within its block <paramref name="i"/>.</summary>
    public (int From, int To) Within(int i)
    {
        var start = (First + i) * Block;
        return ((int)Math.Max(0, Offset - start), (int)Math.Min(Block, End - start));
    }

    /// <summary>The number of the piece's bytes before its block <paramref name="i"/>.</summary>
    public int Before(int i) => (int)Math.Max(0, ((First + i) * Block) - Offset);
}
