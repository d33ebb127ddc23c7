using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>The device of the run, and the ends of requests.</summary>
internal sealed partial class FaultyRun
{
    private enum Purpose
    {
        Call,
        Close,
        Delete,
        Remove,
    }

    private void EndOne()
    {
        var io = _device[_random.Next(_device.Count)];
        _device.Remove(io);
        var fails = _random.NextDouble() < _failures;
        var error = fails ? new IOException("planted") : null;
        if (_objects.Find(model => ReferenceEquals(model.Target, io.Object)) is { } model)
            error = Carry(io, model, fails) ?? error;
        _core.IoDone(io, error, _now);
    }

    private IOException? Carry(DiskIo io, ModelObject model, bool fails)
    {
        var file = model.File;
        switch (io.Kind)
        {
            case DiskIoKind.Read:
                for (var i = 0; i < io.Frames.Count; i++)
                    _frames[io.Frames[i]] = fails ? -1 : file[io.First + i];
                return null;
            case DiskIoKind.Write:
                Reach("written");
                _sent.Remove(io, out var sent);
                for (var i = 0; i < io.Frames.Count; i++)
                {
                    if (_frames[io.Frames[i]] != sent![i])
                        throw new InvalidOperationException($"block {io.First + i} was changed while the device read it");
                    // A failed write leaves some of its blocks on the device.
                    if (!fails || _random.Next(2) == 0)
                        file.Write(io.First + i, sent[i]);
                }

                break;
            case DiskIoKind.Allocate when !fails && _random.Next(8) == 0:
                // A full disk gives back what it has allocated.
                Reach("full");
                return s_full;
            case DiskIoKind.Allocate when !fails:
                io.Length = (io.Length + 4095) / 4096 * 4096;
                io.Length = Math.Min(io.Most, io.Length + (_random.Next(4) * 4096));
                file.Reserve(io.Length);
                return null;
            case DiskIoKind.Allocate:
                return null;
            default:
                file.WriteHeader(io.Length);
                if (!fails && !SyncLies)
                    file.Sync();
                if (!fails && io.Kind == DiskIoKind.Resize)
                    file.Cut(io.Length);
                break;
        }

        model.Damaged |= fails;
        return null;
    }

    private void Carry()
    {
        while (_core.Issued.Count > 0 || _core.Completed.Count > 0)
        {
            foreach (var io in _core.Issued)
            {
                _device.Add(io);
                if (io.Kind == DiskIoKind.Write)
                    _sent[io] = [.. io.Frames.Select(frame => _frames[frame])];
            }

            _core.Issued.Clear();
            var completed = _core.Completed.ToArray();
            _core.Completed.Clear();
            foreach (var request in completed)
            {
                if (!request.Abandoned)
                    _held.Add(request);
                else if (_asked.ContainsKey(request))
                    Canceled(request);
                else
                    _core.Release(request, _now);
            }
        }
    }

    // A resize that had begun takes effect although its caller has canceled it.
    private void Canceled(Request request)
    {
        Reach("canceled");
        _asked.Remove(request, out var asked);
        if (request.Kind == RequestKind.Resize && request.Error is null)
            asked!.Model.Resize(request.Length);
        _core.Release(request, _now);
    }

    private string? ReleaseOne() => Release(_held[_random.Next(_held.Count)]);

    // Lets a caller copy from or into the frames of a finished request, which must still belong to the request's blocks.
    private string? Release(Request request)
    {
        _held.Remove(request);
        _asked.Remove(request, out var asked);
        var (kind, error, model) = (request.Kind, request.Error, asked!.Model);
        var wrong = error is null ? Check(request, asked) : CheckError(request, asked);
        _core.Release(request, _now);
        if (wrong is null)
            Follow(kind, error, asked);
        return wrong;
    }

    private string? Check(Request request, Asked asked)
    {
        var model = asked.Model;
        Reach($"{request.Kind}");
        if (model.Damaged && request.Kind == RequestKind.Flush && asked.Damaged)
            return "a flush of a broken object was answered as done";
        switch (request.Kind)
        {
            case RequestKind.Read:
                for (var i = 0; i < request.Count && !model.Damaged; i++)
                {
                    if (_frames[request.Frames[i]] != model[request.First + i])
                        return $"block {request.First + i} reads as {_frames[request.Frames[i]]}; {model[request.First + i]} was written";
                }

                break;
            case RequestKind.Write:
                for (var i = 0; i < request.Count; i++)
                    _frames[request.Frames[i]] = asked.Version;
                model.Write(request.First, request.Count, request.Length, asked.Version);
                break;
            case RequestKind.Resize when asked.Target.Reserved < request.Length:
                return $"a resize to {request.Length} has space for {asked.Target.Reserved}";
            case RequestKind.Resize:
                model.Resize(request.Length);
                break;
            case RequestKind.Flush:
                model.Flushed(asked.State);
                break;
            case RequestKind.Allocate when asked.Target.Reserved < request.Length:
                return "space was not reserved";
        }

        return null;
    }

    private string? CheckError(Request request, Asked asked)
    {
        var error = request.Error!;
        Reach("failed");
        if (error is QuotaExceededException)
        {
            Reach("quota");
            return request.Kind == RequestKind.Allocate ? null : $"a {request.Kind} fails with {error}";
        }

        var expected = error is IOException
            ? request.Kind is RequestKind.Read or RequestKind.Allocate or RequestKind.Write || asked.Model.Damaged
            : ReferenceEquals(error, s_ended) ? !ReferenceEquals(asked.Model.Target, asked.Target) || asked.Model.Ending : ReferenceEquals(error, ArgonCore.NoReservation);
        return expected ? null : $"a {request.Kind} fails with {error}";
    }

    // Continues a close, a deletion or the removal of a service.
    private void Follow(RequestKind kind, Exception? error, Asked asked)
    {
        var model = asked.Model;
        if (asked.Purpose == Purpose.Close && kind == RequestKind.Flush)
        {
            Note(_core.Forget(_core.House, model.Target, s_ended, _now), model).Purpose = Purpose.Close;
        }
        else if (asked.Purpose == Purpose.Remove)
        {
            _removing = false;
            _services.Add(_core.AddService(1 + _random.Next(3), _now));
        }
        else if (kind == RequestKind.Forget && error is null)
        {
            var deleted = asked.Purpose == Purpose.Delete;
            var file = deleted ? 0 : model.File.Length;
            _account.Used -= model.Target.Reserved;
            model.Target.Account = null;
            model.Reopen(Opened(file), deleted);
        }
    }

    private sealed class Asked(ModelObject model, ObjectState target, int state, bool damaged)
    {
        public ModelObject Model { get; } = model;

        public ObjectState Target { get; } = target;

        public int State { get; } = state;

        public bool Damaged { get; } = damaged;

        public int Version { get; set; }

        public Purpose Purpose { get; set; }
    }
}
