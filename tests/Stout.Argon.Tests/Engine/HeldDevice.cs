using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>A device that answers no request between <see cref="Hold"/> and <see cref="Release"/>.</summary>
internal sealed class HeldDevice(IDevice device) : IDevice
{
    private readonly object _gate = new();
    private readonly TaskCompletionSource _arrived = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _held;

    /// <summary>Completes when the first held request has come.</summary>
    public Task Arrived => _arrived.Task;

    public void Hold()
    {
        lock (_gate)
            _held = true;
    }

    public void Release()
    {
        lock (_gate)
        {
            _held = false;
            Monitor.PulseAll(_gate);
        }
    }

    public void Carry(DiskIo io, NativeSlab slab)
    {
        lock (_gate)
        {
            while (_held)
            {
                _arrived.TrySetResult();
                Monitor.Wait(_gate);
            }
        }

        device.Carry(io, slab);
    }
}
