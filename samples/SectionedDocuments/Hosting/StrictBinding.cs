namespace SectionedDocuments.Hosting;

internal static class StrictBinding
{
    /// <summary>Binds a section of the configuration; a setting that does not exist is an error, not a shrug.</summary>
    public static T BindStrictly<T>(this IConfiguration configuration, string section, T options)
        where T : class
    {
        configuration.GetSection(section).Bind(options, binder => binder.ErrorOnUnknownConfiguration = true);
        return options;
    }
}
