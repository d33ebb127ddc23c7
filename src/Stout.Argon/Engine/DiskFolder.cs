using Stout.Argon.Devices;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Engine;

/// <summary>One disk's folder: its objects, its lock, and the cost of requests.</summary>
internal sealed class DiskFolder : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, FolderEntry> _entries = [];
    private readonly ArgonServer _server;
    private readonly ArgonDiskOptions _options;
    private readonly FileStream _lock;
    private readonly int _disk;

    public DiskFolder(ArgonServer server, int disk, ArgonDiskOptions options)
    {
        (_server, _disk, _options) = (server, disk, options);
        Directory.CreateDirectory(options.Folder);
        try
        {
            _lock = new FileStream(Path.Combine(options.Folder, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1, FileOptions.None);
        }
        catch (IOException error)
        {
            throw new FolderInUseException(options.Folder, error);
        }

        try
        {
            foreach (var unfinished in Directory.EnumerateFiles(options.Folder, "*" + ObjectName.Extension + ObjectFile.UnfinishedExtension).ToList())
                File.Delete(unfinished);
            if (server.Quotas)
            {
                foreach (var (owner, bytes) in Directory.EnumerateFiles(options.Folder, "*" + ObjectName.Extension).Select(ObjectFile.Look))
                    server.Account(owner)?.Used += bytes;
            }

            Profile = options.Cost is { } cost ? Calibration.Safe with { Cost = cost } : Calibration.Load(options.Folder, options.AllowBuffered);
        }
        catch
        {
            _lock.Dispose();
            throw;
        }
    }

    /// <summary>The measured profile; with a given cost, that cost and a concurrency of 1.</summary>
    public DiskProfile Profile { get; }

    public ValueTask<ArgonObject> CreateAsync(ArgonService service, string name, CancellationToken cancellationToken)
    {
        var path = ObjectName.PathOf(_options.Folder, name);
        return HandleAsync(InTurnAsync(name, CreateInTurnAsync, cancellationToken), cancellationToken);

        async Task<ArgonObject> CreateInTurnAsync(FolderEntry entry)
        {
            if (entry.Target is not null)
                throw new ObjectExistsException(name);
            _server.Change(service.Account, static account => account.Claim(ObjectFile.HeaderBytes));
            try
            {
                var file = await _server.DoAsync(service.State, _disk, () => CreateFile(name, path, service.Owner)).ConfigureAwait(false);
                return Add(service, name, entry, file);
            }
            catch (ArgonException)
            {
                _server.Change(service.Account, static account => account.Used -= ObjectFile.HeaderBytes);
                throw;
            }
        }
    }

    /// <summary>Opens an object. A broken object is opened again without its cached blocks.</summary>
    public ValueTask<ArgonObject> OpenAsync(ArgonService service, string name, CancellationToken cancellationToken)
    {
        var path = ObjectName.PathOf(_options.Folder, name);
        return HandleAsync(InTurnAsync(name, OpenInTurnAsync, cancellationToken), cancellationToken);

        async Task<ArgonObject> OpenInTurnAsync(FolderEntry entry)
        {
            if (entry.Target is { Broken: null })
            {
                entry.Handles++;
                return new ArgonObject(_server, service, this, name, entry.Target);
            }

            if (entry.Target is { } broken)
                await EndAsync(service, entry, new ObjectBrokenException(broken.Broken!.InnerException!), trim: false).ConfigureAwait(false);
            var file = await _server.DoAsync(service.State, _disk, () => File.Exists(path) ? ObjectFile.Open(path, _options.AllowBuffered) : throw new ObjectNotFoundException(name)).ConfigureAwait(false);
            return Add(service, name, entry, file);
        }
    }

    public async ValueTask DeleteAsync(ArgonService service, string name, CancellationToken cancellationToken)
    {
        var path = ObjectName.PathOf(_options.Folder, name);
        await InTurnAsync(name, DeleteInTurnAsync, cancellationToken).WaitAsync(cancellationToken).ConfigureAwait(false);

        async Task<bool> DeleteInTurnAsync(FolderEntry entry)
        {
            if (entry.Target is not null)
                await EndAsync(service, entry, new ObjectDeletedException(), trim: false).ConfigureAwait(false);
            var (owner, bytes) = await _server.DoAsync(service.State, _disk, () => DeleteFile(name, path)).ConfigureAwait(false);
            _server.Change(_server.Account(owner), account => account.Used -= bytes);
            return true;
        }
    }

    public async ValueTask<IReadOnlyList<string>> ListAsync(ArgonService service, CancellationToken cancellationToken)
    {
        using var operation = _server.Enter();
        return await _server.DoAsync(service.State, _disk, () => ObjectName.List(_options.Folder)).WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Closes a handle. The last one flushes the object, releases the space beyond its end, and closes its file.</summary>
    /// <exception cref="ObjectBrokenException">The flush failed.</exception>
    public Task CloseAsync(ArgonObject handle)
    {
        return InTurnAsync(handle.Name, CloseInTurnAsync, CancellationToken.None);

        async Task<bool> CloseInTurnAsync(FolderEntry entry)
        {
            var (service, target) = (handle.Service, handle.Target);
            _server.Look(_ =>
            {
                target.Leave(service.State);
                return true;
            });
            if (!ReferenceEquals(entry.Target, target) || --entry.Handles > 0)
                return false;
            var error = await _server.FlushAsync(service.State, target).ConfigureAwait(false);
            await EndAsync(service, entry, new ObjectDisposedException(nameof(ArgonObject)), trim: error is null).ConfigureAwait(false);
            return error is null ? true : throw error;
        }
    }

    /// <summary>
    /// Flushes all objects before the server ends, and trims their files. Errors are ignored: no caller has flushed these writes, so their durability was
    /// never promised.
    /// </summary>
    public void FlushAll()
    {
        foreach (var entry in _entries.Values)
        {
            if (entry.Target is { Ended: null, Broken: null, Unflushed: true } target)
                _server.Flush(target);
        }
    }

    public void Dispose()
    {
        foreach (var target in _entries.Values.Select(entry => entry.Target).OfType<ObjectState>())
        {
            using var file = (ObjectFile)target.Tag!;
            if (target is { Ended: null, Broken: null, Unflushed: false })
                Trim(file);
        }

        _lock.Dispose();
    }

    // The space beyond the end is released at the next opening, too, so an error here loses nothing.
    private static void Trim(ObjectFile file)
    {
        try
        {
            file.Trim();
        }
        catch (IOException)
        {
        }
    }

    private ObjectFile CreateFile(string name, string path, UInt128 owner)
    {
        if (File.Exists(path))
            throw new ObjectExistsException(name);
        var file = ObjectFile.Create(path, _options.AllowBuffered, owner);
        try
        {
            Native.SyncFolder(_options.Folder);
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    private (UInt128 Owner, long Bytes) DeleteFile(string name, string path)
    {
        if (!File.Exists(path))
            throw new ObjectNotFoundException(name);
        var counted = _server.Quotas ? ObjectFile.Look(path) : default;
        File.Delete(path);
        Native.SyncFolder(_options.Folder);
        return counted;
    }

    private ArgonObject Add(ArgonService service, string name, FolderEntry entry, ObjectFile file)
    {
        entry.Target = _server.AddObject(_disk, file);
        entry.Handles = 1;
        return new ArgonObject(_server, service, this, name, entry.Target);
    }

    // Ends an open object: all its requests fail from now on, its cached blocks are dropped, and its file is closed.
    private async Task EndAsync(ArgonService service, FolderEntry entry, Exception reason, bool trim)
    {
        var target = entry.Target!;
        await _server.ForgetAsync(service.State, target, reason).ConfigureAwait(false);
        entry.Target = null;
        var reserved = await _server.DoAsync(service.State, _disk, () =>
        {
            using var file = (ObjectFile)target.Tag!;
            if (trim)
                Trim(file);
            return file.Reserved;
        }).ConfigureAwait(false);
        _server.Change(target.Account, _ => target.Reserved = reserved);
    }

    // A call that has begun continues after its cancellation, since its work on the disk can't be taken back. Then its handle is closed.
    private static async ValueTask<ArgonObject> HandleAsync(Task<ArgonObject> operation, CancellationToken cancellationToken)
    {
        try
        {
            return await operation.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            _ = operation.ContinueWith(static ended => ended.Result.DisposeAsync(), CancellationToken.None, TaskContinuationOptions.OnlyOnRanToCompletion, TaskScheduler.Default);
            throw;
        }
    }

    private async Task<T> InTurnAsync<T>(string name, Func<FolderEntry, Task<T>> work, CancellationToken cancellationToken)
    {
        using var operation = _server.Enter();
        FolderEntry? entry;
        lock (_gate)
        {
            if (!_entries.TryGetValue(name, out entry))
                _entries.Add(name, entry = new FolderEntry());
            entry.Calls++;
        }

        try
        {
            await entry.Turn.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                return await work(entry).ConfigureAwait(false);
            }
            finally
            {
                entry.Turn.Release();
            }
        }
        finally
        {
            lock (_gate)
            {
                if (--entry.Calls == 0 && entry.Target is null)
                    _entries.Remove(name);
            }
        }
    }
}
