using System.Collections.Concurrent;
using System.Text.Json;

namespace Stout.Documents;

/// <summary>Checks that values come back from their bytes as they were, for one collection.</summary>
internal sealed class RoundTrip<T>(IPartSerializer<T> serializer, RoundTripCheck check)
    where T : class
{
    /// <summary>Bounds what is remembered of values that have no end of shapes. Beyond it no new shape is checked.</summary>
    private const int MostShapes = 10_000;

    private readonly ConcurrentDictionary<int, bool> _shapes = new();

    /// <summary>Reads a value's bytes back, if it is its turn.</summary>
    /// <exception cref="JsonException">The value that came back differs; the path tells where.</exception>
    /// <exception cref="Exception">The bytes can't be read; the serializer's own.</exception>
    public void Check(T value, ReadOnlyMemory<byte> bytes)
    {
        var json = serializer as JsonPartSerializer<T>;
        if (check == RoundTripCheck.OncePerShape && (_shapes.Count >= MostShapes || !_shapes.TryAdd(ShapeOf(value, json), true)))
            return;
        try
        {
            var copy = serializer.Deserialize(bytes);
            if (json is not null && JsonGraph.FirstDifference(json.Type, value, copy) is { } path)
                throw new JsonException($"The value does not come back from its bytes as it was: it differs at {path}.");
        }
        catch (Exception)
        {
            // The next value of the shape is checked again.
            if (check == RoundTripCheck.OncePerShape)
                _shapes.TryRemove(ShapeOf(value, json), out _);
            throw;
        }
    }

    private static int ShapeOf(T value, JsonPartSerializer<T>? json)
    {
        if (json is null)
            return value.GetType().GetHashCode();
        var places = new HashSet<(string Path, Type? Type)>();
        foreach (var node in JsonGraph.NodesOf(json.Type, value))
            places.Add((node.Path, node.Value?.GetType()));
        var shape = 0;
        foreach (var place in places)
            shape ^= place.GetHashCode();
        return shape;
    }
}
