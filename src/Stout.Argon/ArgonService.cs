using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon;

/// <summary>
/// One service of an <see cref="ArgonServer"/>. The service is charged for the disk time of all requests through this instance, and through the handles that
/// this instance opened.
/// </summary>
public sealed class ArgonService
{
    private readonly ArgonServer _server;
    private readonly HashSet<ArgonObject> _handles = [];
    private Task? _removal;

    internal ArgonService(ArgonServer server, string name, ServiceState state)
    {
        (_server, Name, State, Owner) = (server, name, state, SpaceAccount.KeyOf(name));
        Account = server.Account(Owner);
    }

    /// <summary>The service's name in reports.</summary>
    public string Name { get; }

    /// <summary>The weight among the services, from 0.001 to 1,000. A change takes effect with the next quanta.</summary>
    public double Weight
    {
        get => State.Weight;
        set
        {
            ArgonServer.CheckWeight(value);
            _server.Change(State, value);
        }
    }

    /// <summary>
    /// The most bytes of disk space for the objects that services of this name created; null, the default, for no limit. Each object takes 8 KiB and its data. The
    /// space counts for the creator, whichever service writes to the object. A create, write or resize beyond the quota fails with
    /// <see cref="QuotaExceededException"/>. A quota below the used space takes nothing away. Services of one name have one quota.
    /// </summary>
    public long? QuotaBytes
    {
        get => _server.Look(_ => Account?.Quota);
        set
        {
            _server.CheckQuota(value);
            _server.Change(Account, account => account.Quota = value);
        }
    }

    internal ServiceState State { get; }

    internal UInt128 Owner { get; }

    internal SpaceAccount? Account { get; }

    /// <summary>Creates an empty object. It is on the disk when this call returns.</summary>
    /// <param name="name">1 to 200 bytes of UTF-8 without slashes, control characters or a leading dot.</param>
    /// <param name="disk">The disk's index in <see cref="ArgonOptions.Disks"/>.</param>
    /// <param name="cancellationToken">Ends the wait; a canceled call may have created the object.</param>
    /// <returns>A handle to dispose.</returns>
    /// <exception cref="InvalidObjectNameException">The name is not usable.</exception>
    /// <exception cref="ObjectExistsException">The name is taken.</exception>
    /// <exception cref="DiskFullException">The disk has no space; nothing was created.</exception>
    /// <exception cref="QuotaExceededException">The object would exceed the service's quota; nothing was created.</exception>
    /// <exception cref="DiskFailedException">The disk failed.</exception>
    public ValueTask<ArgonObject> CreateAsync(string name, int disk = 0, CancellationToken cancellationToken = default) => Folder(disk).CreateAsync(this, name, cancellationToken);

    /// <summary>Opens an object. Several services may have the same object open.</summary>
    /// <param name="name">The name.</param>
    /// <param name="disk">The disk's index in <see cref="ArgonOptions.Disks"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A handle to dispose.</returns>
    /// <exception cref="ObjectNotFoundException">No object has the name.</exception>
    /// <exception cref="LayoutMismatchException">The file has another format, or was truncated.</exception>
    /// <exception cref="DiskFailedException">The disk failed.</exception>
    public ValueTask<ArgonObject> OpenAsync(string name, int disk = 0, CancellationToken cancellationToken = default) => Folder(disk).OpenAsync(this, name, cancellationToken);

    /// <summary>Deletes an object. All handles on the object fail from then on with <see cref="ObjectDeletedException"/>.</summary>
    /// <param name="name">The name.</param>
    /// <param name="disk">The disk's index in <see cref="ArgonOptions.Disks"/>.</param>
    /// <param name="cancellationToken">Ends the wait; a canceled call may have deleted the object.</param>
    /// <exception cref="ObjectNotFoundException">No object has the name.</exception>
    /// <exception cref="DiskFailedException">The disk failed; the object may be deleted.</exception>
    public ValueTask DeleteAsync(string name, int disk = 0, CancellationToken cancellationToken = default) => Folder(disk).DeleteAsync(this, name, cancellationToken);

    /// <summary>The names of all objects on a disk, those of other services included.</summary>
    /// <param name="disk">The disk's index in <see cref="ArgonOptions.Disks"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="DiskFailedException">The disk failed.</exception>
    public ValueTask<IReadOnlyList<string>> ListAsync(int disk = 0, CancellationToken cancellationToken = default) => Folder(disk).ListAsync(this, cancellationToken);

    /// <summary>The engine's current figures for the service.</summary>
    public ServiceReport Report() => _server.Look(_ =>
    {
        var counters = State.Counters;
        var absorbed = counters.References == 0 ? 0 : (double)counters.Absorbed / counters.References;
        return new ServiceReport(Name, State.Status, (long)State.Partition.Target * ArgonOptions.BlockSize, (long)State.Least * ArgonOptions.BlockSize, absorbed, counters.DiskTime, Account?.Used ?? 0, State.Throughput?.Reached, State.Throughput?.Promised);
    });

    internal void Add(ArgonObject handle)
    {
        lock (_handles)
        {
            _handles.Add(handle);
            if (_removal is null)
                return;
        }

        // The handle of a call that began before the service's removal.
        _ = handle.DisposeAsync().AsTask();
    }

    internal void Remove(ArgonObject handle)
    {
        lock (_handles)
            _handles.Remove(handle);
    }

    /// <summary>Closes the handles and removes the service; a second call awaits the first.</summary>
    internal Task RemoveAsync()
    {
        lock (_handles)
            return _removal ??= RemoveNowAsync();
    }

    private async Task RemoveNowAsync()
    {
        await Task.Yield();
        ArgonException? failed = null;
        // Calls that began before may still open handles, so the loop runs until no call is left. The handles close side by side: beside a disk that does
        // not answer, each waits for the time limit.
        while (Handles() is { Count: > 0 } handles)
        {
            foreach (var close in handles.ConvertAll(static handle => handle.DisposeAsync().AsTask()))
            {
                try
                {
                    await close.ConfigureAwait(false);
                }
                catch (ArgonException error)
                {
                    failed ??= error;
                }
            }
        }

        await _server.AnsweredAsync(_server.RemoveAsync(State), disk: null).ConfigureAwait(false);
        if (failed is not null)
            throw failed;
    }

    private List<ArgonObject> Handles()
    {
        lock (_handles)
            return [.. _handles];
    }

    private DiskFolder Folder(int disk)
    {
        lock (_handles)
            ObjectDisposedException.ThrowIf(_removal is not null, this);
        return _server.Folder(disk);
    }
}
