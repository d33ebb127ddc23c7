using System.Globalization;

namespace Stout.Benchmarks.Grains;

/// <summary>The base class of grains: implements the calls that do not use the state.</summary>
internal abstract class AccountGrainBase : Grain, IAccountGrain
{
    public abstract Task ChangeAsync();

    public abstract Task<long> ReadAsync();

    public Task<int> PortAsync() => Task.FromResult(PortOf(RuntimeIdentity));

    public Task LeaveAsync()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }

    /// <summary>The port of a silo.</summary>
    /// <param name="identity">The letter S and the silo's address, its port, and its generation, with colons between them.</param>
    internal static int PortOf(string identity) => int.Parse(identity.Split(':')[1], CultureInfo.InvariantCulture);
}
