using System.Collections;
using System.ComponentModel;
using System.Reflection;

namespace Stout.Hosting.Tests.Secrets;

/// <summary>The paths of all settings that a type of options has, sections and lists included.</summary>
internal static class SettingPaths
{
    public static IEnumerable<string> Of(Type options, string section)
    {
        yield return section;
        foreach (var property in options.GetProperties(BindingFlags.Instance | BindingFlags.Public))
        {
            foreach (var path in OfValue(property.PropertyType, $"{section}:{property.Name}"))
                yield return path;
        }
    }

    private static IEnumerable<string> OfValue(Type type, string path)
    {
        if (TypeDescriptor.GetConverter(type).CanConvertFrom(typeof(string)) || type.IsAbstract && !typeof(IEnumerable).IsAssignableFrom(type) || typeof(Delegate).IsAssignableFrom(type))
            return [path];
        return type.IsGenericType && typeof(IEnumerable).IsAssignableFrom(type)
            ? [path, .. OfValue(type.GetGenericArguments()[0], path + ":0")]
            : Of(type, path);
    }
}
