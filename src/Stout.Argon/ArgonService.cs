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

    internal ArgonService(ArgonServer server, string name, ServiceState state) => (_server, Name, State) = (server, name, state);

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

    internal ServiceState State { get; }

    /// <summary>Creates an empty object.</summary>
    /// <param name="name">1 to 200 bytes of UTF-8 without slashes, control characters or a leading dot.</param>
    /// <param name="disk">The disk's index in <see cref="ArgonOptions.Disks"/>.</param>
    /// <exception cref="InvalidObjectNameException">The name is not usable.</exception>
    /// <exception cref="ObjectExistsException">The name is taken.</exception>
    public ArgonObject Create(string name, int disk = 0) => new(_server, this, _server.Folder(disk).Create(name));

    /// <summary>Opens an object. Several services may have the same object open.</summary>
    /// <param name="name">The name.</param>
    /// <param name="disk">The disk's index in <see cref="ArgonOptions.Disks"/>.</param>
    /// <exception cref="ObjectNotFoundException">No object has the name.</exception>
    /// <exception cref="LayoutMismatchException">The file has another format, or was truncated.</exception>
    public ArgonObject Open(string name, int disk = 0) => new(_server, this, _server.Folder(disk).Open(name, State));

    /// <summary>Deletes an object. All handles on the object fail from then on.</summary>
    /// <param name="name">The name.</param>
    /// <param name="disk">The disk's index in <see cref="ArgonOptions.Disks"/>.</param>
    /// <exception cref="ObjectNotFoundException">No object has the name.</exception>
    public void Delete(string name, int disk = 0) => _server.Folder(disk).Delete(name, State);

    /// <summary>The names of all objects on a disk, those of other services included.</summary>
    /// <param name="disk">The disk's index in <see cref="ArgonOptions.Disks"/>.</param>
    public IReadOnlyList<string> List(int disk = 0) => _server.Folder(disk).List();

    /// <summary>The engine's current figures for the service.</summary>
    public ServiceReport Report() => _server.Look(_ =>
    {
        var counters = State.Counters;
        var absorbed = counters.References == 0 ? 0 : (double)counters.Absorbed / counters.References;
        return new ServiceReport(Name, State.Status, (long)State.Partition.Target * ArgonOptions.BlockSize, (long)State.Least * ArgonOptions.BlockSize, absorbed, counters.DiskTime);
    });
}
