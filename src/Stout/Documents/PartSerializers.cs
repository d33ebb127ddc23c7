using System.Diagnostics.CodeAnalysis;

namespace Stout.Documents;

/// <summary>Chooses the default serializer of a type.</summary>
internal static class PartSerializers
{
    public const string ByReflection = "JSON without a serializer of one's own is made by reflection. Give a serializer.";

    [RequiresUnreferencedCode(ByReflection)]
    [RequiresDynamicCode(ByReflection)]
    public static IPartSerializer<T> Default<T>()
        where T : class
    {
        if (typeof(T) == typeof(string))
            return (IPartSerializer<T>)(object)new StringPartSerializer();
        if (typeof(T) == typeof(byte[]))
            return (IPartSerializer<T>)(object)new BytesPartSerializer();
        return new JsonPartSerializer<T>();
    }
}
