using System.Buffers;
using System.Runtime.InteropServices;

namespace Stout.Argon.Devices;

/// <summary>The memory of the cache: one aligned piece outside the managed heap, as direct I/O needs it.</summary>
internal sealed unsafe class NativeSlab : IDisposable
{
    private readonly int _block;
    private byte* _start;

    /// <param name="blocks">The number of blocks.</param>
    /// <param name="block">The size of one, and the alignment.</param>
    public NativeSlab(long blocks, int block)
    {
        _block = block;
        _start = (byte*)NativeMemory.AlignedAlloc((nuint)(blocks * block), (nuint)block);
    }

    public Span<byte> this[int frame] => new(_start + ((long)frame * _block), _block);

    /// <summary>One block as memory, for vectored I/O.</summary>
    public Memory<byte> MemoryOf(int frame) => new Block(this, frame).Memory;

    public void Dispose()
    {
        NativeMemory.AlignedFree(_start);
        _start = null;
    }

    private sealed class Block(NativeSlab slab, int frame) : MemoryManager<byte>
    {
        public override Span<byte> GetSpan() => slab[frame];

        public override MemoryHandle Pin(int elementIndex = 0) => new(slab._start + ((long)frame * slab._block) + elementIndex);

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
        }
    }
}
