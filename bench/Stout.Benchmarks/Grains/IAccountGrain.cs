namespace Stout.Benchmarks.Grains;

/// <summary>A grain of the comparison of grain storages.</summary>
[Alias("Stout.Benchmarks.Grains.IAccountGrain")]
public interface IAccountGrain : IGrainWithIntegerKey
{
    /// <summary>Changes the state. The change is durable when the call returns.</summary>
    [Alias("ChangeAsync")]
    Task ChangeAsync();

    /// <summary>Reads the state.</summary>
    [Alias("ReadAsync")]
    Task<long> ReadAsync();

    /// <summary>The port of the activation's silo.</summary>
    [Alias("PortAsync")]
    Task<int> PortAsync();

    /// <summary>Deactivates the activation.</summary>
    [Alias("LeaveAsync")]
    Task LeaveAsync();
}
