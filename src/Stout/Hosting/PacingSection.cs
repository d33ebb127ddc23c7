using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;
using Stout.Pacing;

namespace Stout.Hosting;

/// <summary>Reads the pacing law from a section: the setting <c>Law</c> names the law, and the section of that name has the law's parameters.</summary>
internal static class PacingSection
{
    private const string Law = "Law";

    /// <summary>
    /// Sets the law that <c>Law</c> names. Without <c>Law</c>, sets <see cref="PacingLaws.Delay"/> if the section has parameters of that law. Parameters of
    /// other laws would have no effect, so they are errors.
    /// </summary>
    /// <param name="section">The section.</param>
    /// <param name="options">Receives the law.</param>
    /// <param name="isIgnored">Returns whether the application permits the section of a law that is not chosen.</param>
    /// <exception cref="InvalidOptionException">The law or a setting is unknown, a parameter is out of its range, or its law is not chosen.</exception>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static void Bind(IConfigurationSection section, StoutOptions options, Func<IConfigurationSection, bool> isIgnored)
    {
        if (section.Value is not null)
            throw new InvalidOptionException(section.Path, $"it is a section, and {section.Path}:{Law} names the law");
        if (!section.GetChildren().Any())
            return;
        RefuseUnknownSettings(section);
        var law = section[Law] ?? (section.GetSection(nameof(PacingLaws.Delay)).Exists() ? nameof(PacingLaws.Delay) : null);
        if (law is not null && !PacingLaws.Names.Contains(law, StringComparer.OrdinalIgnoreCase))
            throw new InvalidOptionException($"{section.Path}:{Law}", PacingLaws.OneOf);
        foreach (var name in PacingLaws.Names)
        {
            var isChosen = name.Equals(law, StringComparison.OrdinalIgnoreCase);
            var parameters = section.GetSection(name);
            if (!isChosen && isIgnored(parameters))
                continue;
            if (Make(parameters, name, isChosen) is { } made)
                options.Pacing = made;
            else if (parameters.GetChildren().FirstOrDefault() is { } parameter)
                throw new InvalidOptionException(parameter.Path, $"it has no effect unless {section.Path}:{Law} is {name}");
        }
    }

    /// <returns>Null for a law that is not selected.</returns>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    private static Func<IPacingLaw>? Make(IConfigurationSection section, string law, bool isChosen)
    {
        try
        {
            var made = PacingLaws.Named(law, parameters => Settings.Bind(section, parameters));
            return isChosen ? made : null;
        }
        catch (InvalidOptionException error) when (!error.Option.StartsWith(section.Path, StringComparison.Ordinal))
        {
            // The law's own validation names only the parameter, so the section's path is added here.
            return isChosen ? throw new InvalidOptionException($"{section.Path}:{error.Option}", error.Allowed) : null;
        }
    }

    private static void RefuseUnknownSettings(IConfigurationSection section)
    {
        foreach (var setting in section.GetChildren())
        {
            if (!PacingLaws.Names.Append(Law).Contains(setting.Key, StringComparer.OrdinalIgnoreCase))
                throw new InvalidOptionException(setting.Path, "there is no such option");
        }
    }
}
