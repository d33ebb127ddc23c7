using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.Extensions.Configuration;

namespace Stout.Hosting;

/// <summary>
/// Binds settings to options. First checks that each setting names an option, and that the setting's text converts to the option's type. The binder's
/// own errors would quote the text, which may be a misplaced secret.
/// </summary>
[RequiresUnreferencedCode(StoutBuilder.ByReflection)]
[RequiresDynamicCode(StoutBuilder.ByReflection)]
internal static class Settings
{
    /// <summary>Binds a section to options.</summary>
    /// <param name="section">The section.</param>
    /// <param name="options">The options.</param>
    /// <param name="isElsewhere">Returns whether a setting of the section belongs to other options.</param>
    /// <exception cref="InvalidOptionException">No option has the setting's name, or the setting's text does not convert. The message contains the name, not
    /// the text.</exception>
    public static void Bind(IConfigurationSection section, object options, Func<IConfigurationSection, bool>? isElsewhere = null)
    {
        // A section of options must have no value. The section Stout itself, which is bound with isElsewhere, may have one: an environment variable
        // named STOUT may belong to another program.
        if (isElsewhere is null)
            RefuseValue(section, "it is a section");
        CheckSection(section, options.GetType(), isElsewhere ?? (static _ => false));
        section.Bind(options);
    }

    private static void CheckSection(IConfigurationSection section, Type type, Func<IConfigurationSection, bool> isElsewhere)
    {
        foreach (var setting in section.GetChildren().Where(setting => !isElsewhere(setting)))
        {
            var property = type.GetProperty(setting.Key, BindingFlags.IgnoreCase | BindingFlags.Instance | BindingFlags.Public);
            if (property is null || (property.SetMethod is not { IsPublic: true } && ElementOf(property.PropertyType) is null))
                throw new InvalidOptionException(setting.Path, "there is no such option");
            Check(setting, property.PropertyType);
        }
    }

    private static void Check(IConfigurationSection setting, Type type)
    {
        var converter = TypeDescriptor.GetConverter(type);
        if (converter.CanConvertFrom(typeof(string)))
            CheckValue(setting, Nullable.GetUnderlyingType(type) ?? type, converter);
        else if (ElementOf(type) is { } element)
            CheckList(setting, element);
        else if (type.IsAbstract || typeof(Delegate).IsAssignableFrom(type))
            throw new InvalidOptionException(setting.Path, "it can be set in code alone");
        else
        {
            RefuseValue(setting, "it is a section");
            CheckSection(setting, type, static _ => false);
        }
    }

    private static void CheckList(IConfigurationSection setting, Type element)
    {
        RefuseValue(setting, $"it is a list, and its first element is {setting.Path}:0");
        foreach (var child in setting.GetChildren())
        {
            if (!int.TryParse(child.Key, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out _))
                throw new InvalidOptionException(child.Path, "the elements of a list have numbers, from 0 on");
            Check(child, element);
        }
    }

    private static void CheckValue(IConfigurationSection setting, Type type, TypeConverter converter)
    {
        if (setting.GetChildren().Any())
            throw new InvalidOptionException(setting.Path, "it has one value, and no settings below it");
        if (setting.Value is null)
            return;
        try
        {
            converter.ConvertFromInvariantString(setting.Value);
        }
        catch (Exception)
        {
            // Without the inner exception, since its message quotes the text.
            throw new InvalidOptionException(setting.Path, "it must be " + Describe(type));
        }
    }

    /// <summary>
    /// Throws if a section or list has a value. An empty value is allowed, since some configuration formats give it to empty sections and lists.
    /// </summary>
    private static void RefuseValue(IConfigurationSection section, string rule)
    {
        if (!string.IsNullOrEmpty(section.Value))
            throw new InvalidOptionException(section.Path, rule);
    }

    private static Type? ElementOf(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() is var generic && (generic == typeof(IList<>) || generic == typeof(List<>))
            ? type.GetGenericArguments()[0]
            : null;

    private static string Describe(Type type) =>
        type.IsEnum ? "one of " + string.Join(", ", Enum.GetNames(type))
        : type == typeof(bool) ? "true or false"
        : type == typeof(TimeSpan) ? "a time, such as 00:00:30"
        : "a number in the range of its type";
}
