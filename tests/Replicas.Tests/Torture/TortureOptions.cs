using System.Globalization;
using ReplicaUnderTest;

namespace Replicas.Tests.Torture;

/// <summary>How long and how hard a run is.</summary>
/// <param name="Seed">Of every choice: operations, faults, cuts. The processes' speed is not repeated.</param>
/// <param name="Operations">Requests at least.</param>
/// <param name="Faults">Faults, spread over the requests.</param>
/// <param name="Bug">The replicas' planted bug.</param>
/// <param name="CutOneIn">Of so many answers of the database, a connection is cut at one.</param>
internal sealed record TortureOptions(int Seed, int Operations, int Faults, PlantedBug Bug = PlantedBug.None, int CutOneIn = 400)
{
    public int Replicas { get; init; } = 3;

    public int Clients { get; init; } = 12;

    /// <summary>How long the requests go on at least: a test of what the replicas do at intervals needs several of them. By default only their number counts.</summary>
    public TimeSpan Lasts { get; init; }

    /// <summary>A setting of the environment; null without one.</summary>
    public static int? Setting(string name) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : null;
}
