using System.Collections.Concurrent;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Stout.Documents;

/// <summary>
/// Determines whether values of a type are immutable, so that readers may share them. Immutable types are strings, numbers, immutable and frozen
/// collections of such types, and types with <see cref="ImmutableObjectAttribute"/>. So are structs with fields of such types, and sealed classes whose
/// fields are also readonly. All instance fields count, also private and inherited ones.
/// </summary>
internal static class ImmutableTypes
{
    private const BindingFlags OwnFields = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    // The obstacles by type; an empty text for immutable types.
    private static readonly ConcurrentDictionary<Type, string> Known = new();

    /// <summary>Whether a value of the type cannot be changed in place. Determined once for each type.</summary>
    [RequiresUnreferencedCode("Looks at all fields of a type; trimming may have removed some.")]
    public static bool Contains(Type type) => ObstacleOf(type).Length == 0;

    /// <summary>The first member by which values of the type can be changed in place, with the remedy; empty for an immutable type.</summary>
    [RequiresUnreferencedCode("Looks at all fields of a type; trimming may have removed some.")]
    public static string ObstacleOf(Type type) => Known.GetOrAdd(type, static type => Find(type, NameOf(type), []) ?? "");

    // A type that is being examined is assumed to be immutable. So a recursive type is immutable if everything else in it is.
    [RequiresUnreferencedCode("Looks at all fields of a type; trimming may have removed some.")]
    private static string? Find(Type type, string place, HashSet<Type> assumed)
    {
        if (type.IsPrimitive && type != typeof(IntPtr) && type != typeof(UIntPtr) || type.IsEnum || type == typeof(string) || type == typeof(decimal) || !assumed.Add(type))
            return null;
        if (type.IsPointer || type.IsFunctionPointer || type.IsByRefLike || type.IsArray || type == typeof(IntPtr) || type == typeof(UIntPtr))
            return $"{place} is {NameOf(type)}{Remedy(type)}";
        if (type.GetCustomAttribute<ImmutableObjectAttribute>(inherit: false) is { } declared)
            return declared.Immutable ? null : $"{place} is {NameOf(type)}, which is declared mutable";
        if (IsImmutableCollection(type))
            return type.GetGenericArguments().Select(argument => Find(argument, $"{place}[]", assumed)).FirstOrDefault(static obstacle => obstacle is not null);
        if (type.IsValueType)
            return FieldsOf(type).Select(field => Find(field.FieldType, PlaceOf(place, field), assumed)).FirstOrDefault(static obstacle => obstacle is not null); // Need not be readonly: changing a copy of a struct leaves the original unchanged.
        if (Remedy(type) is { Length: > 0 } remedy)
            return $"{place} is {NameOf(type)}{remedy}";
        if (!type.IsSealed || typeof(Delegate).IsAssignableFrom(type))
            return $"{place} is {NameOf(type)}, which {(type.IsSealed ? "is a delegate" : "is not sealed")}";
        foreach (var field in FieldsOf(type))
        {
            if (!field.IsInitOnly)
                return $"{PlaceOf(place, field)} can be set; use init or readonly";
            if (Find(field.FieldType, PlaceOf(place, field), assumed) is { } obstacle)
                return obstacle;
        }

        return null;
    }

    private static bool IsImmutableCollection(Type type) =>
        type is { IsGenericType: true, Namespace: "System.Collections.Immutable" or "System.Collections.Frozen" }
        && type.Assembly == typeof(System.Collections.Immutable.ImmutableArray).Assembly
        && !type.IsNested // Excludes builders, which are mutable.
        && !type.IsInterface;

    /// <summary>The immutable collection to use in place of another one; empty for other types.</summary>
    private static string Remedy(Type type)
    {
        if (type.IsArray && type.GetElementType() is { } element)
            return $"; use ImmutableArray<{NameOf(element)}>";
        if (!type.IsGenericType || !IsCollection(type))
            return "";
        var arguments = string.Join(", ", type.GetGenericArguments().Select(NameOf));
        return type.Name.Contains("Dictionary", StringComparison.Ordinal) ? $"; use ImmutableDictionary<{arguments}>"
            : type.Name.Contains("Set", StringComparison.Ordinal) ? $"; use ImmutableHashSet<{arguments}>"
            : $"; use ImmutableList<{arguments}>";
    }

    private static bool IsCollection(Type type) =>
        type.Namespace is "System.Collections.Generic" or "System.Collections.ObjectModel" or "System.Collections.Immutable" && typeof(System.Collections.IEnumerable).IsAssignableFrom(type);

    /// <summary>The member of a field: a property for the field that the compiler has made for it.</summary>
    private static string PlaceOf(string place, FieldInfo field) =>
        $"{place}.{(field.Name.StartsWith('<') ? field.Name[1..field.Name.IndexOf('>', StringComparison.Ordinal)] : field.Name)}";

    private static string NameOf(Type type) => type switch
    {
        { IsArray: true } => NameOf(type.GetElementType()!) + "[]",
        { IsGenericType: true } when type.Name.Contains('`', StringComparison.Ordinal) =>
            $"{type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>",
        _ => type.Name,
    };

    [RequiresUnreferencedCode("Looks at all fields of a type; trimming may have removed some.")]
    private static IEnumerable<FieldInfo> FieldsOf(Type type)
    {
        for (var at = type; at is not null; at = at.BaseType)
        {
            foreach (var field in at.GetFields(OwnFields))
                yield return field;
        }
    }
}
