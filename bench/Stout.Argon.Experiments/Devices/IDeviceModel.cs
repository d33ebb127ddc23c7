using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Experiments.Devices;

/// <summary>A model of a storage device in virtual time.</summary>
internal interface IDeviceModel
{
    string Name { get; }

    /// <summary>The costs that an exact calibration of the device would measure.</summary>
    DeviceCost Cost { get; }

    /// <summary>The time of the next <see cref="Complete"/>; null while the device idles.</summary>
    TimeSpan? Next { get; }

    /// <param name="io">The request.</param>
    /// <param name="address">The address of the request's first byte on the device.</param>
    /// <param name="bytes">The size of the request.</param>
    /// <param name="now">The present time.</param>
    void Submit(DiskIo io, long address, long bytes, TimeSpan now);

    /// <summary>Completes the request that ends at <see cref="Next"/>.</summary>
    DiskIo Complete();
}
