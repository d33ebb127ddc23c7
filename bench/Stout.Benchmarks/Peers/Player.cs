using System.Text.Json;

namespace Stout.Benchmarks.Peers;

/// <summary>The record that every peer keeps: some 90 bytes of JSON, or more with a longer name.</summary>
internal sealed record Player(string Id, string Name, int Level, long Score, double X, double Y)
{
    /// <summary>The JSON that System.Text.Json makes by default, as the typed layer's serializer does.</summary>
    public byte[] ToBytes() => JsonSerializer.SerializeToUtf8Bytes(this);
}
