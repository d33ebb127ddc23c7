using Orleans.Runtime;

namespace Stout.Orleans.HandOver;

/// <summary>The version of the form in which states are handed over. During a rolling deployment, silos with two versions may be in a cluster.</summary>
/// <param name="version">The version that this silo writes and reads.</param>
internal sealed class HandOverFormat(int version)
{
    /// <summary>The present version. It rises when <see cref="Storage.HandedOverKey"/> or <see cref="Facet.HandedOverState"/> change.</summary>
    public const int Current = 1;

    private const string MigrationKey = "stout.format";

    /// <summary>Notes the version beside the states.</summary>
    public void Write(IDehydrationContext context) => context.TryAddValue(MigrationKey, version);

    /// <summary>Whether the states have this version, so that they may be read. Otherwise the next activation claims and reads its states.</summary>
    public bool IsThatOf(IRehydrationContext context) => context.TryGetValue<int>(MigrationKey, out var written) && written == version;
}
