using System.Text.Json;
using System.Text.Json.Serialization;
using Stout.Storage;

namespace Stout.Cosmos.Setup;

/// <summary>The item of a store partition's identity.</summary>
/// <param name="SetId">Random, the same in all partitions of a set.</param>
/// <param name="Partition">The partition's place in the set.</param>
/// <param name="Partitions">The number of store partitions of the set.</param>
/// <param name="IsReady">Whether all partitions of the set have joined. Keys are stored only after that.</param>
internal sealed record IdentityItem(
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
    /// <exception cref="StoreException">The item was not created by this version of the library.</exception>
    public static IdentityItem Parse(ReadOnlyMemory<byte> json, int partition)
    {
        try
        {
            return JsonSerializer.Deserialize<IdentityItem>(json.Span) ?? throw new JsonException();
        }
        catch (JsonException)
        {
            throw new StoreException(StoreErrorKind.LayoutMismatch, $"Store partition {partition} has an item with the id of ours that is not ours.");
        }
    }

    public static IdentityItem Of(PartitionIdentity identity) => new(identity.SetId, identity.Partition, identity.Partitions, identity.IsReady)
    {
        LayoutId = identity.Layout,
        Version = identity.Version,
        Hash = identity.Hash,
    };

    public PartitionIdentity ToIdentity() => new(LayoutId, Version, SetId, Partition, Partitions, Hash, IsReady);
}
