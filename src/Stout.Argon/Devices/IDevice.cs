using Stout.Argon.Engine;

namespace Stout.Argon.Devices;

/// <summary>Carries out device requests on the calling thread. Several threads may call at once.</summary>
internal interface IDevice
{
    /// <exception cref="IOException">The device failed.</exception>
    void Carry(DiskIo io, NativeSlab slab);
}
