using System.Buffers;

namespace Stout.Argon.Tests.Engine;

/// <summary>Memory whose owner throws when the bytes are asked for.</summary>
internal sealed class ThrowingMemory : MemoryManager<byte>
{
    public override Memory<byte> Memory => CreateMemory(4096);

    public override Span<byte> GetSpan() => throw new NotSupportedException();

    public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
    }
}
