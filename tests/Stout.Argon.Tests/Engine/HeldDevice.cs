using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>A device that answers no request between <see cref="Hold"/> and <see cref="Release"/>.</summary>
internal sealed class HeldDevice(IDevice device) : IDevice
{
    private readonly ManualResetEventSlim _open = new(true);
    private readonly SemaphoreSlim _arrived = new(0);

    public void Hold() => _open.Reset();

    public void Release() => _open.Set();

    /// <summary>Returns when a request has come that is held.</summary>
    public Task ArrivedAsync(CancellationToken cancellationToken) => _arrived.WaitAsync(cancellationToken);

    public void Carry(DiskIo io, NativeSlab slab)
    {
        if (!_open.IsSet)
        {
            _arrived.Release();
            _open.Wait();
        }

        device.Carry(io, slab);
    }
}
