using System.Globalization;
using ReplicaUnderTest;

namespace Replicas.Tests.Torture;

/// <summary>The length of a run and the frequency of its faults.</summary>
/// <param name="Seed">The seed of all random choices: operations, faults and cuts. The timing of the processes still differs between runs.</param>
/// <param name="Operations">The least number of requests.</param>
/// <param name="Faults">The number of faults, spread over the requests.</param>
/// <param name="Bug">The replicas' planted bug.</param>
/// <param name="CutOneIn">On average, one of this number of the database's answers is lost, since its connection is cut.</param>
internal sealed record TortureOptions(int Seed, int Operations, int Faults, PlantedBug Bug = PlantedBug.None, int CutOneIn = 400)
{
    public int Replicas { get; init; } = 3;

    public int Clients { get; init; } = 12;

    /// <summary>The least duration of the requests, for tests of work that replicas do at intervals. Default: zero, so only their number counts.</summary>
    public TimeSpan Lasts { get; init; }

    /// <summary>A setting of the environment; null without one.</summary>
    public static int? Setting(string name) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : null;
}
