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

    public int Registers { get; init; } = 6;

    public int Counters { get; init; } = 3;
}
