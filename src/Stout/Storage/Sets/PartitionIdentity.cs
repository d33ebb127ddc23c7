namespace Stout.Storage;

/// <summary>The identity that each store partition keeps: its set, and its place in the set.</summary>
/// <param name="Layout">The name of the layout, one for each kind of store.</param>
/// <param name="Version">The layout's version.</param>
/// <param name="SetId">Random, the same in all partitions of a set.</param>
/// <param name="Partition">The partition's place in the set. 0 or more.</param>
/// <param name="Partitions">The number of partitions of the set. 1 or more.</param>
/// <param name="Hash">The name of the hash that spreads the keys: <see cref="Slots.HashName"/>.</param>
/// <param name="IsReady">Whether all partitions of the set have joined. Keys are stored only after that.</param>
public sealed record PartitionIdentity(string Layout, int Version, Guid SetId, int Partition, int Partitions, string Hash, bool IsReady)
{
    /// <summary>Checks that a partition is the one that the options name.</summary>
    /// <param name="expected">The expected identity; <see cref="IsReady"/> is not compared.</param>
    /// <param name="name">The partition's name in messages.</param>
    /// <exception cref="StoreException">The partition has another layout, belongs to another set, or has another place in its set.</exception>
    internal void Check(PartitionIdentity expected, string name)
    {
        if (Layout != expected.Layout || Version != expected.Version)
            throw LayoutMismatch($"has the layout {Shown(Layout)}, version {Version}; this library has {expected.Layout}, version {expected.Version}");
        if (Hash != expected.Hash)
            throw LayoutMismatch($"spreads its keys by {Shown(Hash)}; this library does by {expected.Hash}");
        if (Partitions != expected.Partitions)
            throw LayoutMismatch($"belongs to a set of {Partitions} partitions; the options name {expected.Partitions}");
        if (Partition != expected.Partition)
            throw LayoutMismatch($"is partition {Partition} of its set; the options use it as partition {expected.Partition}");
        if (SetId != expected.SetId)
            throw LayoutMismatch("belongs to another set than the partitions before it");

        // The stored text is untrusted, and goes into logs.
        static string Shown(string text) =>
            text is { Length: > 0 and <= 64 } && text.All(static character => char.IsAsciiLetterOrDigit(character) || character is '-' or '_' or '.') ? text : "(no name)";

        StoreException LayoutMismatch(string what) => new(StoreErrorKind.LayoutMismatch, $"{name} {what}.");
    }
}
