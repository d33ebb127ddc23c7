namespace Stout.Orleans.Tests.Semantics;

/// <summary>The providers of a cluster under test: with and without claims, each with and without the deletion of cleared states.</summary>
public static class ProviderNames
{
    private static readonly bool[] ClearModes = [false, true];

    public static IEnumerable<(string Name, GrainOwnership Ownership, bool Deletes)> All =>
        from ownership in Enum.GetValues<GrainOwnership>()
        from deletes in ClearModes
        select ($"{ownership}-{(deletes ? "deletes" : "keeps")}", ownership, deletes);

    public static TheoryData<string> Names => [.. All.Select(provider => provider.Name)];

    public static bool Deletes(string name) => name.EndsWith("deletes", StringComparison.Ordinal);
}
