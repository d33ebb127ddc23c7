using Stout.Argon.Devices;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Engine;

/// <summary>One disk's threads, which execute the core's commands.</summary>
internal sealed class DiskWorker : IDisposable
{
    private const int StackBytes = 256 * 1024;
    private const int NoSpaceOnWindows = unchecked((int)0x80070070);
    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _waiting = new(0);
    private readonly Queue<DiskIo> _queue = new();
    private readonly Dictionary<DiskIo, long> _running = [];
    private readonly List<Thread> _threads = [];
    private readonly ManualResetEventSlim _ended = new();
    private readonly IDevice _device;
    private readonly NativeSlab _slab;
    private readonly TimeProvider _time;
    private readonly Action<DiskIo, Exception?> _done;
    private readonly string _name;
    private readonly int _depth;
    private int _working;
    private bool _abandoned;
    private volatile bool _stopping;

    public DiskWorker(string name, int threads, IDevice device, NativeSlab slab, TimeProvider time, Action<DiskIo, Exception?> done)
    {
        (_device, _depth, _slab, _time, _done) = (device, threads, slab, time, done);
        _name = name;
        for (var i = 0; i < threads; i++)
            Start();
    }

    /// <summary>The time since the disk received its oldest unfinished request; zero without requests.</summary>
    public TimeSpan Oldest
    {
        get
        {
            lock (_gate)
                return _running.Count == 0 ? TimeSpan.Zero : _time.GetElapsedTime(_running.Values.Min());
        }
    }

    /// <summary>Passes a request to the threads. The caller holds the core's lock.</summary>
    public void Post(DiskIo io)
    {
        lock (_gate)
        {
            _queue.Enqueue(io);
            _running.Add(io, _time.GetTimestamp());
            // A request for which the core no longer waits still holds its thread, so the others get one more. The core bounds the number of such requests.
            if (_running.Count > _threads.Count)
            {
                var stuck = _running.Keys.Count(static running => running.Live.List is null);
                while (_threads.Count < _depth + stuck)
                    Start();
            }
        }

        _waiting.Release();
    }

    /// <summary>Ends the threads after their requests, and waits for them until <see cref="Abandon"/>.</summary>
    public void Dispose()
    {
        _stopping = true;
        lock (_gate)
            _waiting.Release(_threads.Count);
        _ended.Wait();
        lock (_gate)
        {
            // A thread whose request the disk does not answer still needs the semaphore.
            if (_working == 0)
                _waiting.Dispose();
            _ended.Dispose();
        }
    }

    /// <summary>Ends the wait for threads whose requests the disk does not answer.</summary>
    public void Abandon()
    {
        lock (_gate)
        {
            _abandoned = true;
            _ended.Set();
        }
    }

    private void Start()
    {
        _working++;
        var thread = new Thread(Work, StackBytes) { IsBackground = true, Name = $"Argon {_name} {_threads.Count}" };
        _threads.Add(thread);
        thread.Start();
    }

    private void Work()
    {
        while (true)
        {
            _waiting.Wait();
            DiskIo? io;
            lock (_gate)
            {
                if (!_queue.TryDequeue(out io) && _stopping)
                {
                    if (--_working == 0 && !_abandoned)
                        _ended.Set();
                    return;
                }
            }

            if (io is null)
                continue;
            var error = Carry(io);
            lock (_gate)
                _running.Remove(io);
            _done(io, error);
        }
    }

    private Exception? Carry(DiskIo io)
    {
        try
        {
            _device.Carry(io, _slab);
            return null;
        }
        // An error fails one request. It must not end the thread, which serves all services.
        catch (Exception error)
        {
            return (io.Kind, error) switch
            {
                (_, ArgonException) => error,
                (DiskIoKind.Read, _) => new DiskReadException(error),
                (DiskIoKind.Allocate or DiskIoKind.Task, IOException { HResult: Native.NoSpace } or IOException { HResult: NoSpaceOnWindows }) => new DiskFullException(error),
                (DiskIoKind.Allocate or DiskIoKind.Task, _) => new DiskFailedException(error),
                _ => new ObjectBrokenException(error),
            };
        }
    }
}
