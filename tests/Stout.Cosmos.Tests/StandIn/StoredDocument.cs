using System.Text;
using System.Text.Json;

namespace Stout.Cosmos.Tests.StandIn;

/// <summary>An item of the stand-in: its JSON as it was sent, and the properties that the service adds.</summary>
internal sealed record StoredDocument(string Id, byte[] Sent, string ETag, DateTimeOffset ChangedAt, TimeSpan? TimeToLive)
{
    public bool IsExpired(DateTimeOffset now) => TimeToLive is { } life && now - ChangedAt >= life;

    /// <summary>The JSON as a client reads it, with the properties that the service adds.</summary>
    public byte[] Json => [.. Sent.AsSpan()[..^1], .. Encoding.UTF8.GetBytes($",\"_etag\":{JsonSerializer.Serialize(ETag)},\"_ts\":{ChangedAt.ToUnixTimeSeconds()}}}")];

    public static StoredDocument Of(byte[] sent, string etag, string partition, DateTimeOffset now)
    {
        using var json = JsonDocument.Parse(sent);
        var id = json.RootElement.GetProperty("id").GetString()!;
        CheckId(id);
        if (json.RootElement.GetProperty("pk").GetString() != partition)
            throw new InvalidOperationException("The item's partition key differs from the request's.");
        TimeSpan? life = json.RootElement.TryGetProperty("ttl", out var ttl) ? TimeSpan.FromSeconds(ttl.GetInt32()) : null;
        return new StoredDocument(id, sent, etag, now, life);
    }

    // The documented limits of an id: at most 1,023 bytes, without these characters.
    public static void CheckId(string id)
    {
        if (id.Length == 0 || Encoding.UTF8.GetByteCount(id) > 1_023 || id.AsSpan().ContainsAny("/\\#?") || id != id.Trim())
            throw new InvalidOperationException($"The service takes no such id: {id}");
    }
}
