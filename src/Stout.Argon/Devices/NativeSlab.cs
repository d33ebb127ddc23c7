using System.Runtime.InteropServices;

namespace Stout.Argon.Devices;

/// <summary>The cache's memory: one aligned block outside the managed heap, as direct I/O requires.</summary>
internal sealed unsafe class NativeSlab : IDisposable
{
    private readonly int _block;
    private byte* _start;

    /// <param name="blocks">The number of blocks.</param>
    /// <param name="block">The size of a block in bytes, and its alignment.</param>
    public NativeSlab(long blocks, int block)
    {
        _block = block;
        _start = (byte*)NativeMemory.AlignedAlloc((nuint)(blocks * block), (nuint)block);
    }

    public Span<byte> this[int frame] => new(_start + ((long)frame * _block), _block);

    /// <summary>The address of one block.</summary>
    public nint AddressOf(int frame) => (nint)(_start + ((long)frame * _block));

    public void Dispose()
    {
        NativeMemory.AlignedFree(_start);
        _start = null;
    }
}
