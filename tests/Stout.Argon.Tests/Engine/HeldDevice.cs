using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>A device that does not answer certain requests between <see cref="Hold"/> and <see cref="Release"/>.</summary>
internal sealed class HeldDevice(IDevice device) : IDevice
{
    private readonly object _gate = new();
    private TaskCompletionSource _arrived = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Func<DiskIo, bool>? _held;

    /// <summary>Completes when the first request has come that the last <see cref="Hold"/> holds.</summary>
    public Task Arrived => _arrived.Task;

    /// <param name="which">The requests to hold; all by default.</param>
    public void Hold(Func<DiskIo, bool>? which = null)
    {
        lock (_gate)
            (_held, _arrived) = (which ?? (static _ => true), new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
    }

    public void Release()
    {
        lock (_gate)
        {
            _held = null;
            Monitor.PulseAll(_gate);
        }
    }

    public void Carry(DiskIo io, NativeSlab slab)
    {
        lock (_gate)
        {
            while (_held?.Invoke(io) == true)
            {
                _arrived.TrySetResult();
                Monitor.Wait(_gate);
            }
        }

        device.Carry(io, slab);
    }
}
