using Stout.Director.Models;

namespace Stout.Director;

/// <summary>The Director's settings. Its decisions depend on these settings and on observations of the cluster alone.</summary>
/// <param name="Policy">The policy.</param>
/// <param name="Types">The server types that the pool leases. At least one; the names differ.</param>
/// <param name="Bins">The number of bins: ranges of keys, which are the units of statistics, moves and replication. At least 1.</param>
public sealed record DirectorSettings(DirectorPolicy Policy, IReadOnlyList<ServerType> Types, int Bins)
{
    internal DirectorSettings Copy() => this with { Types = [.. Types] };

    /// <summary>Checks policy, types and bins.</summary>
    /// <exception cref="InvalidPolicyException">A parameter is out of range.</exception>
    /// <exception cref="ModelException">A server type can't be used.</exception>
    public void Check()
    {
        Policy.Check();
        Range.Check(nameof(Bins), Bins, 1, int.MaxValue);
        if (Types.Count == 0 || Types.Select(type => type.Name).Distinct().Count() != Types.Count)
            throw new ModelException("At least one server type is needed, each with a name of its own.");
        foreach (var type in Types)
            type.Check();
    }
}
