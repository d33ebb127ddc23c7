using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;
using Stout.Pacing;

namespace Stout.Hosting;

/// <summary>Chooses the pacing law from a section: <c>Law</c> names it, and the section of that name holds its parameters.</summary>
internal static class PacingSection
{
    private const string Law = "Law";

    /// <summary>
    /// Sets the law, if the section has settings. Sections of the laws that are not chosen have no effect, so that <c>Law</c> alone can switch.
    /// </summary>
    /// <exception cref="InvalidOptionException">The law or another setting is unknown, or a parameter is out of its range.</exception>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static void Bind(IConfigurationSection section, StoutOptions options)
    {
        if (section.Value is not null)
            throw new InvalidOptionException(section.Path, $"it is a section, and {section.Path}:{Law} names the law");
        if (!section.GetChildren().Any())
            return;
        RefuseUnknownSettings(section);
        var law = section[Law] ?? nameof(PacingLaws.Delay);
        if (!PacingLaws.Names.Contains(law, StringComparer.OrdinalIgnoreCase))
            throw new InvalidOptionException($"{section.Path}:{Law}", PacingLaws.OneOf);
        InvalidOptionException.Under($"{section.Path}:{law}", () => options.Pacing = PacingLaws.Named(
            law, parameters => section.GetSection(law).Bind(parameters, static binder => binder.ErrorOnUnknownConfiguration = true)));
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
