using System.Collections.Concurrent;

namespace Stout.Orleans;

/// <summary>
/// The types of the exceptions that errors of this package carry: of drivers, serializers and other storages. Orleans sends an exception only if it knows
/// the types of all exceptions inside it. Otherwise the caller gets an error of the codec.
/// </summary>
internal static class CarriedExceptions
{
    private static readonly ConcurrentDictionary<Type, bool> Types = new();

    /// <summary>Notes the types of an exception and of those inside it.</summary>
    /// <returns>The exception.</returns>
    public static T? Note<T>(T? error)
        where T : Exception
    {
        for (Exception? inner = error; inner is not null; inner = inner.InnerException)
            Types.TryAdd(inner.GetType(), true);
        return error;
    }

    /// <summary>Whether an error of this package has carried an exception of the type.</summary>
    public static bool Contains(Type type) => Types.ContainsKey(type);
}
