using Stout.Argon.Engine;

namespace Stout.Argon.Devices;

/// <summary>A disk that executes requests on the objects' files.</summary>
internal sealed class FileDevice : IDevice
{
    public void Carry(DiskIo io, NativeSlab slab)
    {
        if (io.Kind == DiskIoKind.Task)
        {
            io.Work!();
            return;
        }

        var file = (ObjectFile)io.Object.Tag!;
        switch (io.Kind)
        {
            case DiskIoKind.Read:
                file.Read(slab, io.Frames, io.First);
                break;
            case DiskIoKind.Write:
                file.Write(slab, io.Frames, io.First);
                break;
            case DiskIoKind.Sync:
                file.Sync(io.Length);
                break;
            case DiskIoKind.Resize:
                file.Shorten(io.Length);
                break;
            case DiskIoKind.Allocate:
                io.Length = file.Reserve(io.Length, io.Most);
                break;
        }
    }
}
