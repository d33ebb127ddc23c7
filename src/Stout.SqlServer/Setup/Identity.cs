using Stout.Storage;

namespace Stout.SqlServer.Setup;

/// <summary>Which set a database belongs to, as the database keeps it.</summary>
/// <param name="Name">The layout's name.</param>
/// <param name="Version">The layout's version.</param>
/// <param name="SetId">Random, the same in all databases of a set.</param>
/// <param name="Partition">The database's place in the set.</param>
/// <param name="Partitions">The number of databases of the set.</param>
/// <param name="Hash">The name of the hash that spreads the keys.</param>
/// <param name="IsReady">Whether all databases of the set have been set up. Nothing is stored in any before.</param>
internal sealed record Identity(string Name, int Version, Guid SetId, int Partition, int Partitions, string Hash, bool IsReady)
{
    /// <summary>The identity of a new database.</summary>
    public static Identity Of(Guid setId, int partition, int partitions) =>
        new(Layout.Name, Layout.Version, setId, partition, partitions, Slots.HashName, IsReady: false);

    /// <summary>Checks that the database is the one that it should be.</summary>
    /// <exception cref="StoreException">It is of another layout, another set, or at another place in it.</exception>
    public void Check(Identity expected)
    {
        if ((Name, Version) != (expected.Name, expected.Version))
            throw Foreign($"has the layout {Name}, version {Version}; this library has {expected.Name}, version {expected.Version}");
        if (Hash != expected.Hash)
            throw Foreign($"spreads its keys by {Hash}; this library does by {expected.Hash}");
        if (Partitions != expected.Partitions)
            throw Foreign($"belongs to a set of {Partitions} partitions; the options name {expected.Partitions}");
        if (Partition != expected.Partition)
            throw Foreign($"is partition {Partition} of its set");
        if (SetId != expected.SetId)
            throw Foreign("belongs to another set than the ones before it");

        StoreException Foreign(string what) => new(StoreErrorKind.Foreign, $"The database for partition {expected.Partition} {what}.");
    }
}
