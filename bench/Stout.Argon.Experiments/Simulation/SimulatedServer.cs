using Stout.Argon.Engine;
using Stout.Argon.Experiments.Devices;

namespace Stout.Argon.Experiments.Simulation;

/// <summary>A server to simulate: the engine's settings, and the disks.</summary>
internal sealed record SimulatedServer(CoreSettings Settings, IReadOnlyList<Func<IDeviceModel>> Disks)
{
    /// <summary>The time before the measurement: trials and warming up.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(30);

    public TimeSpan Measured { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The time of a cache hit for each block, as <c>argon cost</c> measures it.</summary>
    public TimeSpan HitTime { get; init; } = TimeSpan.FromMicroseconds(0.8);

    /// <summary>How the services share the disks; the engine's calibration of the models decides by default.</summary>
    public DiskSharing Sharing { get; init; }

    public int Seed { get; init; } = 1;

    public SimulatedServer Uninsulated() => this with { Settings = Settings.Uninsulated() };
}
