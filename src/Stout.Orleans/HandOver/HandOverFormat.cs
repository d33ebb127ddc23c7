using Orleans.Runtime;

namespace Stout.Orleans.HandOver;

/// <summary>
/// The version of the form in which keys and <see cref="IStoutState{T}"/> are handed over. During a rolling deployment, silos with two versions may be in a
/// cluster. Orleans itself hands an <c>IPersistentState</c> over, in any version.
/// </summary>
/// <param name="version">The version that this silo writes and reads.</param>
internal sealed class HandOverFormat(int version)
{
    /// <summary>The present version. It rises when <see cref="Storage.HandedOverKey"/> or <see cref="Facet.HandedOverState"/> change.</summary>
    public const int Current = 1;

    private const string MigrationKey = "stout.format";

    /// <summary>Notes the version beside the states.</summary>
    public void Write(IDehydrationContext context) => context.TryAddValue(MigrationKey, version);

    /// <summary>
    /// Whether the keys and states have this version, so that they may be used. Otherwise the next activation claims and reads its states; the key of an
    /// <c>IPersistentState</c> only at the first write.
    /// </summary>
    public bool IsThatOf(IRehydrationContext context) => context.TryGetValue<int>(MigrationKey, out var written) && written == version;
}
