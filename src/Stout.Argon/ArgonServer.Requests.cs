using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon;

/// <summary>Passes requests to the core, executes the core's commands, and answers callers.</summary>
public sealed partial class ArgonServer
{
    private static readonly OperationCanceledException s_canceled = new();
    private readonly HashSet<Completion> _waiting = [];
    private readonly List<Request> _abandoned = [];

    /// <summary>The number of done requests that callers have not released, and of calls on the folders.</summary>
    private int _held;

    private Exception? _failure;

    /// <summary>Passes a request to the core, and executes the core's commands.</summary>
    /// <param name="ask">Returns the request.</param>
    /// <param name="argument">The argument of <paramref name="ask"/>.</param>
    /// <param name="blocking">Whether the caller blocks its thread until the request completes; otherwise the caller awaits a task.</param>
    /// <param name="closing">Whether the request is part of a call that began before the server's disposal, or of the disposal itself.</param>
    /// <returns>The request and its completion, which is null if the request is already done.</returns>
    internal (Request Request, Completion? Waits) Ask<T>(Func<ArgonCore, T, TimeSpan, Request> ask, T argument, bool blocking, bool closing = false)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed && !closing, this);
            if (_failure is not null)
                throw new EngineFailedException(_failure);
            try
            {
                var request = ask(_core, argument, Now);
                Completion? waits = null;
                if (!request.Done)
                {
                    request.Tag = waits = new Completion(this, request, blocking);
                    _waiting.Add(waits);
                }

                Carry();
                if (waits is null)
                    _held++;
                return (request, waits);
            }
            catch (Exception error)
            {
                Fail(error);
                throw new EngineFailedException(error);
            }
        }
    }

    internal void Release(Request request)
    {
        lock (_gate)
        {
            _held--;
            Guarded(request, static (server, request) => server._core.Release(request, server.Now));
            SignalIdle();
        }
    }

    /// <summary>Answers a canceled caller, and abandons its request.</summary>
    internal void Cancel(Completion waits, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (!_waiting.Remove(waits))
                return;
            waits.Cancel(cancellationToken);
            waits.Request.Tag = null;
            Guarded(waits.Request, static (server, request) => server._core.Cancel(request, s_canceled, server.Now));
            SignalIdle();
        }
    }

    /// <summary>Keeps the server open during a call of several requests.</summary>
    /// <returns>Ends the call.</returns>
    internal ServerCall Enter()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            _held++;
        }

        return new ServerCall(this);
    }

    internal void Leave()
    {
        lock (_gate)
        {
            _held--;
            SignalIdle();
        }
    }

    /// <summary>Does work on a disk's folder in the service's quanta.</summary>
    internal async Task<T> DoAsync<T>(ServiceState service, int disk, Func<T> work)
    {
        T result = default!;
        var (request, waits) = Ask(
            static (core, what, now) => core.Do(what.service, what.disk, what.Item3, now), (service, disk, (Action)(() => result = work())), blocking: false, closing: true);
        await EndAsync(request, waits, CancellationToken.None).ConfigureAwait(false);
        return result;
    }

    /// <summary>Waits for a call without a token. If a disk stops answering, the call continues without its caller.</summary>
    /// <param name="call">The call.</param>
    /// <param name="disk">The disk on which the call works; null for any disk.</param>
    /// <exception cref="DiskStuckException">The call, and a request to the disk, have taken longer than <see cref="ArgonOptions.IoTimeLimit"/>.</exception>
    internal async Task AnsweredAsync(Task call, int? disk)
    {
        var stuck = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var began = Now;
        using (_time.CreateTimer(_ => Check(), null, StuckCheck, StuckCheck))
        {
            if (await Task.WhenAny(call, stuck.Task).ConfigureAwait(false) != call)
                _ = call.ContinueWith(static ended => ended.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        }

        await (call.IsCompleted ? call : stuck.Task).ConfigureAwait(false);

        // The old request may be another object's, beside which the disk still answers the call. So the call gives up only after its own time.
        void Check()
        {
            if (Now - began <= _options.IoTimeLimit)
                return;
            for (var i = 0; i < _workers.Count; i++)
            {
                if ((disk ?? i) == i && _workers[i].Oldest > _options.IoTimeLimit)
                    stuck.TrySetException(new DiskStuckException(_options.Disks[i].Folder));
            }
        }
    }

    /// <summary>Removes a service without handles from the core.</summary>
    internal async Task RemoveAsync(ServiceState service)
    {
        using var call = Enter();
        var (request, waits) = Ask(static (core, service, now) => core.Remove(service, now), service, blocking: false, closing: true);
        await EndAsync(request, waits, CancellationToken.None).ConfigureAwait(false);
    }

    internal async Task ForgetAsync(ServiceState service, ObjectState target, Exception reason)
    {
        var (request, waits) = Ask(
            static (core, what, now) => core.Forget(what.service, what.target, what.reason, now), (service, target, reason), blocking: false, closing: true);
        await EndAsync(request, waits, CancellationToken.None).ConfigureAwait(false);
        lock (_gate)
            _freeIds.Enqueue(target.Id);
    }

    /// <summary>Flushes an object if it is unflushed and intact.</summary>
    /// <returns>The error; null after success.</returns>
    internal async Task<ArgonException?> FlushAsync(ServiceState service, ObjectState target)
    {
        if (!Look(_ => target is { Unflushed: true, Broken: null, Ended: null }))
            return target.Broken is null ? null : new ObjectBrokenException(target.Broken.InnerException!);
        try
        {
            var (request, waits) = Ask(static (core, what, now) => core.Flush(what.service, what.target, now), (service, target), blocking: false, closing: true);
            await EndAsync(request, waits, CancellationToken.None).ConfigureAwait(false);
            return null;
        }
        catch (ArgonException error)
        {
            return error;
        }
    }

    /// <summary>Flushes an object during the server's disposal; ignores errors.</summary>
    internal void Flush(ObjectState target)
    {
        if (Look(_ => _stuck.Contains(target.Disk)))
            return;
        try
        {
            var (request, waits) = Ask(static (core, target, now) => core.Flush(core.House, target, now), target, blocking: true, closing: true);
            waits?.Wait();
            Release(request);
        }
        catch (ArgonException)
        {
        }
    }

    /// <summary>Waits for a request, releases it, and throws its error.</summary>
    internal async ValueTask EndAsync(Request request, Completion? waits, CancellationToken cancellationToken)
    {
        if (waits is not null)
            await waits.WaitAsync(cancellationToken).ConfigureAwait(false);
        End(request);
    }

    /// <summary>Releases a done request, and throws its error.</summary>
    internal void End(Request request)
    {
        var error = request.Error;
        Release(request);
        if (error is not null)
            throw Fresh(error);
    }

    // Does not use `Look`: every read calls this method, and `Look` would allocate a closure for each call.
    internal long LengthOf(ObjectState target)
    {
        lock (_gate)
            return target.Length;
    }

    internal bool HasSpace(ObjectState target, long end)
    {
        lock (_gate)
            return end <= target.Reserved;
    }

    internal T Look<T>(Func<ArgonCore, T> look)
    {
        lock (_gate)
            return look(_core);
    }

    internal ObjectState AddObject(int disk, ObjectFile file)
    {
        lock (_gate)
        {
            // Numbers of closed objects are used again, but late: profiles still have references to the blocks of the closed object for a while.
            var id = _freeIds.Count > MostFreeIds ? _freeIds.Dequeue() : _nextObject++;
            var target = _core.Open(id, disk, file.Length);
            target.Reserved = file.Reserved;
            target.Account = Account(file.Owner);
            target.Account?.Used -= file.Released;
            target.Tag = file;
            return target;
        }
    }

    // Several callers get the error of a broken object, so each gets an exception of its own.
    private static Exception Fresh(Exception error) => error switch
    {
        ObjectBrokenException => new ObjectBrokenException(error.InnerException!),
        ObjectDeletedException => new ObjectDeletedException(),
        ObjectDisposedException => new ObjectDisposedException(nameof(ArgonObject)),
        DiskReadException => new DiskReadException(error.InnerException!),
        _ => error,
    };

    private void IoDone(DiskIo io, Exception? error)
    {
        lock (_gate)
        {
            Guarded((io, error), static (server, what) => server._core.IoDone(what.io, what.error, server.Now));
            SignalIdle();
        }
    }

    private void Tick()
    {
        lock (_gate)
        {
            if (_ended)
                return;
            _armed = null;
            Guarded(0, static (server, _) => server._core.Tick(server.Now));
        }
    }

    // Calls the core. An exception of the core leaves its state inconsistent, so all callers get it as their error, now and later.
    private void Guarded<T>(T argument, Action<ArgonServer, T> call)
    {
        if (_failure is not null)
            return;
        try
        {
            call(this, argument);
            Carry();
        }
        catch (Exception error)
        {
            Fail(error);
        }
    }

    private void Fail(Exception error)
    {
        _failure = error;
        foreach (var waits in _waiting)
            waits.Fail(new EngineFailedException(error));
        _waiting.Clear();
        SignalIdle();
    }

    private void SignalIdle()
    {
        if (_disposed && _held == 0 && (_failure is not null || !IsBusy()))
            _idle.Set();
    }

    // Passes the core's device requests to the workers, wakes the callers of completed requests, and sets the timer to the core's next wake-up time. The
    // caller holds `_gate`.
    private void Carry()
    {
        while (_core.Issued.Count > 0 || _core.Completed.Count > 0)
        {
            foreach (var io in _core.Issued)
                _workers[io.Object.Disk].Post(io);
            _core.Issued.Clear();
            foreach (var request in _core.Completed)
                Complete(request);
            _core.Completed.Clear();
            foreach (var request in _abandoned)
                _core.Release(request, Now);
            _abandoned.Clear();
        }

        // An early call of `Tick` does no harm, so the timer is set only to earlier times.
        if (_core.NextTick is not { } next || _armed <= next)
            return;
        _armed = next;
        var due = next - Now;
        _timer.Change(due < TimeSpan.Zero ? TimeSpan.Zero : due < s_mostTimer ? due : s_mostTimer, Timeout.InfiniteTimeSpan);
    }

    private void Complete(Request request)
    {
        // The bytes beyond the new length must read as zeros when the object grows again. No other request uses the block meanwhile, since the resize
        // excludes all other requests of the object until it is released.
        if (request.Kind == RequestKind.Resize && request.Error is null)
            ClearTail(request);
        else if (request.Kind == RequestKind.Remove)
            Removed(request.Service);
        if (request.Abandoned)
        {
            _abandoned.Add(request);
        }
        else if (request.Tag is Completion waits)
        {
            _waiting.Remove(waits);
            _held++;
            waits.Set();
        }
    }

    // A method of its own, since the lambda's closure would be allocated for each request.
    private void Removed(ServiceState state) => _services.RemoveAll(service => ReferenceEquals(service.State, state));

    private void ClearTail(Request request)
    {
        var used = (int)(request.Length % ArgonOptions.BlockSize);
        var frame = used == 0 ? -1 : _core.FrameOf(request.Object.Id, request.Length / ArgonOptions.BlockSize);
        if (frame >= 0)
            Slab[frame][used..].Clear();
    }
}
