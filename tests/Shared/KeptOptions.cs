using System.Collections;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Stout.Tests;

/// <summary>
/// Tells whether a copy of options, or an object made with them, keeps an object that the options' owner can still change: the options themselves, nested
/// options, and lists.
/// </summary>
internal static class KeptOptions
{
    private const BindingFlags Every = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>The types of options that a package exports, by their names: records and classes with settings.</summary>
    public static IEnumerable<Type> TypesOf(Assembly package) => package.GetExportedTypes()
        .Where(static type => !type.IsAbstract && Settings(type).Any() && (type.Name.Contains("Options", StringComparison.Ordinal) || type.Name.EndsWith("Parameters", StringComparison.Ordinal)))
        .Select(static type => type.IsGenericTypeDefinition ? type.MakeGenericType(typeof(string)) : type);

    /// <summary>Options in which each setting has a value other than its default, nested options and lists included.</summary>
    public static object Filled(Type type)
    {
        var options = Activator.CreateInstance(type)!;
        foreach (var setting in Settings(type))
            setting.SetValue(options, Other(setting.PropertyType, setting.GetValue(options)));
        return options;
    }

    /// <summary>The copy that a package makes: by <c>Copy()</c>, or by the record's own copying where the options have no such method.</summary>
    public static object CopyOf(object options) =>
        (options.GetType().GetMethod("Copy", Every) ?? options.GetType().GetMethod("<Clone>$")
            ?? throw new InvalidOperationException($"{options.GetType().Name} has no Copy()")).Invoke(options, null)!;

    /// <summary>The paths of the settings that differ between two options.</summary>
    public static IEnumerable<string> Differences(object expected, object actual, string path = "")
    {
        foreach (var setting in Settings(expected.GetType()))
        {
            var (one, other) = (setting.GetValue(expected), setting.GetValue(actual));
            var differences = (one, other) switch
            {
                (null, _) or (_, null) => ReferenceEquals(one, other) ? [] : [$"{path}{setting.Name}"],
                (string, _) => Equals(one, other) ? [] : [$"{path}{setting.Name}"],
                (IEnumerable, IEnumerable) => Differences((IEnumerable)one, (IEnumerable)other, $"{path}{setting.Name}"),
                _ when IsOptions(one.GetType()) => Differences(one, other, $"{path}{setting.Name}:"),
                _ => Equals(one, other) ? [] : [$"{path}{setting.Name}"],
            };
            foreach (var difference in differences)
                yield return difference;
        }
    }

    /// <summary>The types of those objects of the options that <paramref name="holder"/> reaches through its fields.</summary>
    public static IEnumerable<string> KeptBy(object holder, object options)
    {
        var changeable = new HashSet<object>(ReferenceEqualityComparer.Instance);
        Collect(options, changeable);
        var reached = new HashSet<object>(ReferenceEqualityComparer.Instance);
        var next = new Stack<object>([holder]);
        while (next.TryPop(out var visited))
        {
            if (!reached.Add(visited))
                continue;
            if (changeable.Contains(visited))
                yield return visited.GetType().Name;
            foreach (var child in Children(visited))
                next.Push(child);
        }
    }

    private static void Collect(object options, HashSet<object> changeable)
    {
        if (!changeable.Add(options))
            return;
        var values = options is IEnumerable list ? list.Cast<object?>() : Settings(options.GetType()).Select(setting => setting.GetValue(options));
        foreach (var value in values)
        {
            if (value is not null and not string && (value is IEnumerable || IsOptions(value.GetType())))
                Collect(value, changeable);
        }
    }

    // Fields of the packages' objects and of collections and functions that they hold; the rest of the process is not theirs.
    private static IEnumerable<object> Children(object holder)
    {
        if (holder is Array array)
            return array.Cast<object?>().OfType<object>().Where(static item => !item.GetType().IsPrimitive);
        if (holder is Delegate { Target: var target })
            return target is null ? [] : [target];
        var children = new List<object>();
        for (var type = holder.GetType(); type is not null && IsOurs(type); type = type.BaseType)
        {
            children.AddRange(type.GetFields(Every | BindingFlags.DeclaredOnly)
                .Where(static field => !field.FieldType.IsPrimitive && !field.FieldType.IsPointer && !field.FieldType.IsByRefLike)
                .Select(field => field.GetValue(holder)).OfType<object>());
        }

        return children;
    }

    private static bool IsOurs(Type type) =>
        type.Assembly.GetName().Name!.StartsWith("Stout", StringComparison.Ordinal) || type.Namespace!.StartsWith("System.Collections", StringComparison.Ordinal)
        || type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Lazy<>);

    private static bool IsOptions(Type type) => type.IsClass && IsOurs(type) && !typeof(IEnumerable).IsAssignableFrom(type) && Settings(type).Any();

    /// <summary>The properties that can be set after the object's creation, those for tests included.</summary>
    private static IEnumerable<PropertyInfo> Settings(Type type) => type.GetProperties(Every).Where(static property =>
        property.GetIndexParameters().Length == 0 && property.SetMethod is { } set && !set.IsPrivate
        && !set.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)));

    private static object? Other(Type type, object? present)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(string))
            return $"other than {present}";
        if (type == typeof(bool))
            return present is not true;
        if (type == typeof(TimeSpan))
            return (present as TimeSpan? ?? TimeSpan.Zero) + TimeSpan.FromSeconds(1);
        if (type.IsEnum)
            return Enum.GetValues(type).Cast<object>().FirstOrDefault(value => !value.Equals(present)) ?? present;
        if (type.IsPrimitive)
            return Convert.ChangeType((Convert.ToDouble(present, null) / 2) + 1, type, null);
        if (typeof(Delegate).IsAssignableFrom(type))
        {
            var invoke = type.GetMethod("Invoke")!;
            return Expression.Lambda(type, Expression.Default(invoke.ReturnType), invoke.GetParameters().Select(static x => Expression.Parameter(x.ParameterType))).Compile();
        }

        if (type.IsGenericType && typeof(IEnumerable).IsAssignableFrom(type))
        {
            var item = type.GetGenericArguments()[0];
            var list = Array.CreateInstance(item, 1);
            list.SetValue(Other(item, null), 0);
            return list;
        }

        // A service: the copy has to have the same one. A value that can't be made here stays null.
        return IsOptions(type) ? Filled(type) : type.IsAbstract ? present : RuntimeHelpers.GetUninitializedObject(type);
    }

    private static IEnumerable<string> Differences(IEnumerable expected, IEnumerable actual, string path)
    {
        object?[] ones = [.. expected], others = [.. actual];
        if (ones.Length != others.Length)
            return [path];
        return ones.Zip(others).SelectMany((pair, i) => pair.First is null || !IsOptions(pair.First.GetType())
            ? Equals(pair.First, pair.Second) ? [] : [$"{path}:{i}"]
            : Differences(pair.First, pair.Second!, $"{path}:{i}:"));
    }
}
