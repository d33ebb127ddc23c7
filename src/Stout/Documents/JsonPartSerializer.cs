using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Stout.Documents;

/// <summary>Serializes values as JSON in UTF-8, with System.Text.Json.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public sealed class JsonPartSerializer<T> : IPartSerializer<T>
    where T : class
{
    /// <summary>Creates a serializer with the JSON contract of a source generator. It suits trimmed programs.</summary>
    /// <param name="type">The type's contract.</param>
    /// <param name="valuesAreImmutable">The value of <see cref="ValuesAreImmutable"/>, as the caller promises it.</param>
    public JsonPartSerializer(JsonTypeInfo<T> type, bool valuesAreImmutable = false)
    {
        ArgumentNullException.ThrowIfNull(type);
        Type = type;
        ValuesAreImmutable = valuesAreImmutable;
    }

    /// <summary>Creates a serializer with JSON options.</summary>
    /// <param name="options">The options, which become read-only; null for the defaults.</param>
    /// <param name="valuesAreImmutable">The value of <see cref="ValuesAreImmutable"/>, as the caller promises it. If null, the type is examined. Types
    /// marked with <see cref="System.ComponentModel.ImmutableObjectAttribute"/> are immutable, and so are immutable and frozen collections of immutable
    /// values. So are sealed types all of whose instance fields, also private and inherited ones, are readonly and of immutable types.</param>
    /// <exception cref="NotSupportedException">The options have no contract for the type.</exception>
    /// <exception cref="InvalidOperationException">The contract of the type is invalid.</exception>
    [RequiresUnreferencedCode("Options without a TypeInfoResolver need reflection. Give a JsonTypeInfo instead.")]
    [RequiresDynamicCode("Options without a TypeInfoResolver need reflection. Give a JsonTypeInfo instead.")]
    public JsonPartSerializer(JsonSerializerOptions? options = null, bool? valuesAreImmutable = null)
        : this(TypeOf(options ?? JsonSerializerOptions.Default), valuesAreImmutable ?? ImmutableTypes.Contains(typeof(T)))
    {
        if (valuesAreImmutable is null)
            Obstacle = ImmutableTypes.ObstacleOf(typeof(T));
    }

    /// <inheritdoc/>
    public bool ValuesAreImmutable { get; }

    internal JsonTypeInfo<T> Type { get; }

    /// <summary>The member that makes the type mutable, with the remedy. Empty for an immutable type, or if the caller has decided.</summary>
    internal string Obstacle { get; } = "";

    /// <inheritdoc/>
    public ReadOnlyMemory<byte> Serialize(T value) => JsonSerializer.SerializeToUtf8Bytes(value, Type);

    /// <inheritdoc/>
    public T Deserialize(ReadOnlyMemory<byte> bytes) =>
        JsonSerializer.Deserialize(bytes.Span, Type) ?? throw new JsonException("A part's value can't be null.");

    [RequiresUnreferencedCode("Options without a TypeInfoResolver need reflection.")]
    [RequiresDynamicCode("Options without a TypeInfoResolver need reflection.")]
    private static JsonTypeInfo<T> TypeOf(JsonSerializerOptions options)
    {
        options.MakeReadOnly(populateMissingResolver: true);
        return (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
    }
}
