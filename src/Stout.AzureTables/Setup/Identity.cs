using System.Globalization;
using Stout.AzureTables.Rest;
using Stout.Storage;

namespace Stout.AzureTables.Setup;

/// <summary>Which set a partition belongs to, as the partition keeps it.</summary>
/// <param name="SetId">Random, the same in all partitions of a set.</param>
/// <param name="Partition">The partition's place in the set.</param>
/// <param name="Partitions">The number of partitions of the set.</param>
/// <param name="IsReady">Of the first partition: whether all others have been marked. Nothing is stored in any before.</param>
/// <param name="ETag">The row's.</param>
internal sealed record Identity(string SetId, int Partition, int Partitions, bool IsReady, string ETag)
{
    /// <exception cref="StoreException">It is not of this library, or not of this version.</exception>
    public static Identity Of(Row row)
    {
        if (row["Layout"] != Layout.Id || row["Hash"] != Slots.HashName || row[nameof(SetId)] is not { Length: > 0 } setId)
            throw Foreign("was not made by this library");
        if (row["Version"] != Layout.Version)
            throw Foreign($"has another version of the layout; this library has version {Layout.Version}");
        if (!int.TryParse(row[nameof(Partition)], CultureInfo.InvariantCulture, out var partition) || !int.TryParse(row[nameof(Partitions)], CultureInfo.InvariantCulture, out var partitions))
            throw Foreign("does not say which partition it is");
        return new Identity(setId, partition, partitions, row["Ready"] == "true", row.ETag);
    }

    public void AddTo(TransactionBody body)
    {
        var json = body.BeginInsert(RowKeys.Identity);
        json.WriteString("Layout", Layout.Id);
        json.WriteString("Version", Layout.Version);
        json.WriteString(nameof(SetId), SetId);
        json.WriteNumber(nameof(Partition), Partition);
        json.WriteNumber(nameof(Partitions), Partitions);
        json.WriteString("Hash", Slots.HashName);
        json.WriteBoolean("Ready", IsReady);
        body.End();
    }

    /// <exception cref="StoreException">The partition is not this one's neighbour at that place.</exception>
    public void Check(Identity other, int place)
    {
        if (other.SetId != SetId)
            throw Foreign("belongs to another set");
        if (other.Partition != place || other.Partitions != Partitions)
            throw Foreign($"is number {other.Partition} of {other.Partitions} partitions, and is used as number {place} of {Partitions}");
    }

    public static StoreException Foreign(string what) => new(StoreErrorKind.Foreign, $"A partition of the table {what}.");
}
