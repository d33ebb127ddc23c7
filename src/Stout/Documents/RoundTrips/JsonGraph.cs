using System.Collections;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Stout.Documents;

/// <summary>One node of a value's JSON contract.</summary>
/// <param name="Path">The property names from the root; <c>[]</c> for any element of a list or dictionary.</param>
/// <param name="Value">The value of the node.</param>
/// <param name="Contract">The contract by which it is serialized.</param>
internal readonly record struct JsonNodeAt(string Path, object? Value, JsonTypeInfo Contract);

/// <summary>Walks a value by its JSON contract: the serialized members with their runtime types.</summary>
internal static class JsonGraph
{
    /// <summary>The serializer's default maximum depth.</summary>
    private const int MaxDepth = 64;

    /// <summary>All nodes of a value, depth first.</summary>
    public static IEnumerable<JsonNodeAt> NodesOf(JsonTypeInfo declared, object? value) => NodesOf("$", declared, value, MaxDepth);

    /// <summary>The path of the first difference between a value and its copy; null if they are equal.</summary>
    public static string? FirstDifference(JsonTypeInfo declared, object value, object copy)
    {
        using var others = NodesOf(declared, copy).GetEnumerator();
        foreach (var node in NodesOf(declared, value))
        {
            if (!others.MoveNext() || !IsEqual(node, others.Current))
                return node.Path;
        }

        return others.MoveNext() ? others.Current.Path : null;
    }

    private static bool IsEqual(in JsonNodeAt left, in JsonNodeAt right)
    {
        if (left.Path != right.Path || left.Value is null != right.Value is null)
            return false;
        if (left.Value is null || IsCollection(left.Contract))
            return true;
        if (left.Value.GetType() != right.Value!.GetType())
            return false;
        return left.Contract.Kind == JsonTypeInfoKind.Object
            // A struct without properties, such as a tuple, may have fields that the serializer does not write. So its whole value is compared.
            ? left.Value is not ValueType || left.Contract.Properties.Count > 0 || left.Value.Equals(right.Value)
            : left.Value.Equals(right.Value) || (left.Value is not string && BytesOf(left).AsSpan().SequenceEqual(BytesOf(right)));
    }

    private static byte[] BytesOf(in JsonNodeAt node) => JsonSerializer.SerializeToUtf8Bytes(node.Value, node.Contract);

    private static IEnumerable<JsonNodeAt> NodesOf(string path, JsonTypeInfo declared, object? value, int depth)
    {
        var contract = ContractOf(declared, value);
        yield return new JsonNodeAt(path, value, contract);
        if (value is null || depth == 0)
            yield break;
        foreach (var (name, type, child) in ChildrenOf(contract, value))
        {
            foreach (var node in NodesOf(path + name, declared.Options.GetTypeInfo(type), child, depth - 1))
                yield return node;
        }
    }

    private static IEnumerable<(string Name, Type Type, object? Child)> ChildrenOf(JsonTypeInfo contract, object value)
    {
        switch (contract.Kind)
        {
            case JsonTypeInfoKind.Object:
                foreach (var property in contract.Properties.Where(static property => property.Get is not null))
                    yield return ("." + property.Name, property.PropertyType, property.Get!(value));
                break;
            case JsonTypeInfoKind.Enumerable when value is IEnumerable elements && contract.ElementType is { } type:
                foreach (var element in elements)
                    yield return ("[]", type, element);
                break;
            case JsonTypeInfoKind.Dictionary when value is IDictionary entries && contract is { KeyType: { } keys, ElementType: { } values }:
                foreach (DictionaryEntry entry in entries)
                {
                    yield return ("[key]", keys, entry.Key);
                    yield return ("[]", values, entry.Value);
                }

                break;
        }
    }

    private static bool IsCollection(JsonTypeInfo contract) => contract.Kind is JsonTypeInfoKind.Enumerable or JsonTypeInfoKind.Dictionary;

    /// <summary>
    /// The contract of the value's runtime type. A collection keeps its declared contract, since its elements are compared one by one. So does a value whose
    /// runtime type has no contract.
    /// </summary>
    private static JsonTypeInfo ContractOf(JsonTypeInfo declared, object? value)
    {
        if (value is null || IsCollection(declared) || value.GetType() == declared.Type)
            return declared;
        try
        {
            return declared.Options.GetTypeInfo(value.GetType());
        }
        catch (Exception error) when (error is NotSupportedException or InvalidOperationException)
        {
            return declared;
        }
    }
}
