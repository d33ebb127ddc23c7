using Stout.Argon.Devices;

namespace Stout.Argon.Tests.Engine;

/// <summary>Servers on a given folder, with a small cache and a known device cost.</summary>
internal static class TestServer
{
    public static ArgonOptions Options(string folder) => new()
    {
        Disks = [new() { Folder = folder, Cost = new DeviceCost(TimeSpan.FromMicroseconds(100), 1e9), QueueDepth = 4, AllowBuffered = true }],
        CacheBytes = 1 << 20,
        // Loops that advance a test's clock in small steps while real files are written can't reach this limit.
        IoTimeLimit = TimeSpan.FromDays(30),
    };

    public static ArgonServer Open(string folder) => ArgonServer.Open(Options(folder));
}
