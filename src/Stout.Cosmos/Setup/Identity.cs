using System.Text.Json;
using System.Text.Json.Serialization;
using Stout.Storage;

namespace Stout.Cosmos.Setup;

/// <summary>Which set a store partition belongs to: an item in each.</summary>
/// <param name="SetId">Random, the same in all partitions of a set.</param>
/// <param name="Partition">Its place in the set.</param>
/// <param name="Partitions">The number of store partitions of the set.</param>
/// <param name="IsReady">In partition 0: whether all the others have been made. Nothing is stored in any before.</param>
internal sealed record Identity(
    [property: JsonPropertyName("set")] Guid SetId,
    [property: JsonPropertyName("partition")] int Partition,
    [property: JsonPropertyName("partitions")] int Partitions,
    [property: JsonPropertyName("ready")] bool IsReady)
{
    [JsonPropertyName("id")]
    public string Id { get; init; } = Items.ItemIds.Identity;

    [JsonPropertyName("pk")]
    public string PartitionKey { get; init; } = Requests.PartitionRequests.PartitionKeyOf(Partition);

    [JsonPropertyName("layout")]
    public string LayoutId { get; init; } = Layout.Id;

    [JsonPropertyName("version")]
    public int Version { get; init; } = Layout.Version;

    [JsonPropertyName("hash")]
    public string Hash { get; init; } = Slots.HashName;

    [JsonPropertyName("_etag")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ETag { get; init; }

    public MemoryStream ToJson() => new(JsonSerializer.SerializeToUtf8Bytes(this with { ETag = null }), writable: false);

    /// <summary>Reads a partition's identity.</summary>
    /// <exception cref="StoreException">It was not made by this version of the library.</exception>
    public static Identity Parse(ReadOnlyMemory<byte> json, int partition)
    {
        try
        {
            var identity = JsonSerializer.Deserialize<Identity>(json.Span) ?? throw new JsonException();
            if (identity.LayoutId != Layout.Id || identity.Version != Layout.Version)
                throw Foreign(partition, $"has the layout {identity.LayoutId}, version {identity.Version}; this library has {Layout.Id}, version {Layout.Version}");
            if (identity.Hash != Slots.HashName)
                throw Foreign(partition, $"spreads its keys by {identity.Hash}; this library does by {Slots.HashName}");
            return identity;
        }
        catch (JsonException)
        {
            throw Foreign(partition, "has an item with the id of ours that is not ours");
        }
    }

    public static StoreException Foreign(int partition, string what) => new(StoreErrorKind.Foreign, $"Store partition {partition} {what}.");
}
