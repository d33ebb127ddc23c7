using System.Collections.Concurrent;
using System.Text.Json;

namespace Stout.Documents;

/// <summary>Checks for one collection that values can be deserialized without loss.</summary>
internal sealed class RoundTrip<T>(IPartSerializer<T> serializer, RoundTripCheck check)
    where T : class
{
    /// <summary>
    /// The maximum number of remembered shapes (<see cref="RoundTripCheck.OncePerShape"/>), which bounds their memory. Beyond it, new shapes are not
    /// checked.
    /// </summary>
    private const int MostShapes = 10_000;

    private readonly ConcurrentDictionary<int, bool> _shapes = new();

    /// <summary>Deserializes a value's bytes for comparison, if the value is due for a check.</summary>
    /// <exception cref="JsonException">The deserialized value differs; the message names the path of the difference.</exception>
    /// <exception cref="Exception">The serializer's own error: the bytes cannot be deserialized.</exception>
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
            // Forgets the shape, so that its next value is checked again.
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
