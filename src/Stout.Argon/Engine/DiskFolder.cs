using System.Text;
using Stout.Argon.Devices;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Engine;

/// <summary>One disk's folder: its objects, its lock, and the cost of requests.</summary>
internal sealed class DiskFolder : IDisposable
{
    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private const string Extension = ".argon";
    private const int MostNameBytes = 200;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, ObjectState> _open = [];
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
            Cost = options.Cost ?? Calibration.Load(options.Folder, options.AllowBuffered);
        }
        catch
        {
            _lock.Dispose();
            throw;
        }
    }

    public DeviceCost Cost { get; }

    public ObjectState Create(string name)
    {
        var path = PathOf(name);
        lock (_gate)
        {
            if (File.Exists(path))
                throw new ObjectExistsException(name);
            var file = ObjectFile.Create(path, _options.AllowBuffered);
            Native.SyncFolder(_options.Folder);
            return Add(name, file);
        }
    }

    /// <summary>Opens an object. A broken object is opened again without its cached blocks.</summary>
    public ObjectState Open(string name, ServiceState service)
    {
        var path = PathOf(name);
        lock (_gate)
        {
            if (_open.TryGetValue(name, out var open))
            {
                if (open.Broken is null)
                    return open;
                Drop(name, open, service);
            }

            if (!File.Exists(path))
                throw new ObjectNotFoundException(name);
            return Add(name, ObjectFile.Open(path, _options.AllowBuffered));
        }
    }

    public void Delete(string name, ServiceState service)
    {
        var path = PathOf(name);
        lock (_gate)
        {
            if (!File.Exists(path))
                throw new ObjectNotFoundException(name);
            if (_open.TryGetValue(name, out var open))
                Drop(name, open, service);
            File.Delete(path);
            Native.SyncFolder(_options.Folder);
        }
    }

    public IReadOnlyList<string> List() =>
        [.. Directory.EnumerateFiles(_options.Folder, "*" + Extension).Select(path => Path.GetFileNameWithoutExtension(path)).Order(StringComparer.Ordinal)];

    /// <summary>
    /// Flushes all dirty objects before the server ends. Errors are ignored: no caller has flushed these writes, so their durability was never promised.
    /// </summary>
    public void FlushAll()
    {
        foreach (var target in _open.Values)
        {
            if (target.Dirty.Count == 0 || target.Broken is not null)
                continue;
            var (request, waits) = _server.Ask(static (core, target, now) => core.Flush(core.Services[0], target, now), target, blocking: true, closing: true);
            waits?.Wait();
            _server.Release(request);
        }
    }

    public void Dispose()
    {
        foreach (var target in _open.Values)
            ((ObjectFile)target.Tag!).Dispose();
        _lock.Dispose();
    }

    private ObjectState Add(string name, ObjectFile file)
    {
        var target = _server.AddObject(_disk, file);
        _open.Add(name, target);
        return target;
    }

    private void Drop(string name, ObjectState target, ServiceState service)
    {
        var (request, waits) = _server.Ask(static (core, what, now) => core.Forget(what.service, what.target, now), (service, target), blocking: true);
        waits?.Wait();
        _server.Look(core =>
        {
            core.Close(target);
            return true;
        });
        _server.Release(request);
        target.Broken ??= new ObjectBrokenException(new FileNotFoundException("The object was deleted."));
        _open.Remove(name);
        ((ObjectFile)target.Tag!).Dispose();
    }

    private string PathOf(string name)
    {
        if (string.IsNullOrEmpty(name) || name[0] == '.' || name.Any(letter => letter is '/' or '\\' || char.IsControl(letter)) || !IsShortText(name))
            throw new InvalidObjectNameException(name);
        return Path.Combine(_options.Folder, name + Extension);
    }

    // Whether the name is short enough and has a form in UTF-8. An unpaired surrogate has no such form: the file system would get the same replacement for
    // several names.
    private static bool IsShortText(string name)
    {
        try
        {
            return StrictUtf8.GetByteCount(name) <= MostNameBytes;
        }
        catch (EncoderFallbackException)
        {
            return false;
        }
    }
}
