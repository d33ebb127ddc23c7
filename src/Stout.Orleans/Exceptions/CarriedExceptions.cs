using System.Collections.Concurrent;

namespace Stout.Orleans;

/// <summary>
/// The types of the exceptions inside this package's errors, thrown by drivers, serializers and other storages. Orleans sends an exception only if its
/// options allow the types of all exceptions inside it. Otherwise the caller gets an error of the codec.
/// </summary>
internal static class CarriedExceptions
{
    private static readonly ConcurrentDictionary<Type, bool> Types = new();

    /// <summary>Notes the types of an exception and of those inside it.</summary>
    /// <returns>The exception.</returns>
    public static T? Note<T>(T? error)
        where T : Exception
    {
        if (error is not null)
            Add(error);
        return error;
    }

    /// <summary>Whether an error of this package has carried an exception of the type.</summary>
    public static bool Contains(Type type) => Types.ContainsKey(type);

    private static void Add(Exception error)
    {
        Types.TryAdd(error.GetType(), true);
        if (error is AggregateException several)
        {
            foreach (var one in several.InnerExceptions)
                Add(one);
        }
        else if (error.InnerException is { } inner)
        {
            Add(inner);
        }
    }
}
