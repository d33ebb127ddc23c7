using System.Reflection;
using Stout;

namespace SectionedDocuments.Hosting;

internal static class StrictBinding
{
    /// <summary>Binds a section of the configuration whose settings are all single values.</summary>
    /// <exception cref="InvalidOptionException">
    /// A setting does not exist, or has another type. The message contains the setting's name, but not its text, which may be a secret.
    /// </exception>
    public static T BindStrictly<T>(this IConfiguration configuration, string section, T options)
        where T : class
    {
        foreach (var setting in configuration.GetSection(section).GetChildren())
        {
            var property = typeof(T).GetProperty(setting.Key, BindingFlags.Instance | BindingFlags.Public | BindingFlags.IgnoreCase)
                ?? throw new InvalidOptionException(setting.Path, "there is no such option");
            try
            {
                property.SetValue(options, setting.Get(property.PropertyType) ?? throw new InvalidOperationException());
            }
            catch (InvalidOperationException)
            {
                throw new InvalidOptionException(setting.Path, $"it must be a value of the type {property.PropertyType.Name}");
            }
        }

        return options;
    }
}
