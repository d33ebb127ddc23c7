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

    private static readonly ConcurrentDictionary<Type, bool> Known = new();

    /// <summary>Whether a value of the type cannot be changed in place. Determined once for each type.</summary>
    [RequiresUnreferencedCode("Looks at all fields of a type; trimming may have removed some.")]
    public static bool Contains(Type type) => Known.GetOrAdd(type, static type => IsImmutable(type, []));

    // A type that is being examined is assumed to be immutable. So a recursive type is immutable if everything else in it is.
    [RequiresUnreferencedCode("Looks at all fields of a type; trimming may have removed some.")]
    private static bool IsImmutable(Type type, HashSet<Type> assumed)
    {
        if (type.IsPointer || type.IsFunctionPointer || type.IsByRefLike || type.IsArray || type == typeof(IntPtr) || type == typeof(UIntPtr))
            return false;
        if (type.IsPrimitive || type.IsEnum || type == typeof(string) || type == typeof(decimal) || !assumed.Add(type))
            return true;
        if (type.GetCustomAttribute<ImmutableObjectAttribute>(inherit: false) is { } declared)
            return declared.Immutable;
        if (IsImmutableCollection(type))
            return type.GetGenericArguments().All(argument => IsImmutable(argument, assumed));
        if (type.IsValueType)
            return FieldsOf(type).All(field => IsImmutable(field.FieldType, assumed)); // Need not be readonly: changing a copy of a struct leaves the original unchanged.
        return type.IsSealed
            && !typeof(Delegate).IsAssignableFrom(type)
            && FieldsOf(type).All(field => field.IsInitOnly && IsImmutable(field.FieldType, assumed));
    }

    private static bool IsImmutableCollection(Type type) =>
        type is { IsGenericType: true, Namespace: "System.Collections.Immutable" or "System.Collections.Frozen" }
        && type.Assembly == typeof(System.Collections.Immutable.ImmutableArray).Assembly
        && !type.IsNested // Excludes builders, which are mutable.
        && !type.IsInterface;

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
