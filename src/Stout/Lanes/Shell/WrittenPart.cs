using Stout.Lanes.Core;

namespace Stout.Lanes.Shell;

/// <summary>One part of a <see cref="KeyChange"/>.</summary>
internal sealed class WrittenPart : PushedPart
{
    public WrittenPart(SubKey name, ReadOnlyMemory<byte> bytes)
        : base(name) => Bytes = bytes;
}
