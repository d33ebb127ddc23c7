using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Options;
using Stout.Hosting;
using Stout.Sqlite;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Chooses SQLite.</summary>
public static class SqliteStoutBuilderExtensions
{
    /// <summary>Keeps everything in SQLite files; <see cref="SqliteOptions"/> come from the section <c>Sqlite</c> of the Stout's own.</summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Sets options in code; it has the last word.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseSqlite(this StoutBuilder builder, Action<SqliteOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder
            .AddOptions("Sqlite", configure, static options => options.Validate())
            .UseStore(services => new SqliteStorage(
                services.GetRequiredService<IOptionsMonitor<SqliteOptions>>().Get(builder.Name), services.GetService<TimeProvider>()));
    }

    /// <summary>
    /// Keeps everything in a SQLite file. <see cref="SqliteOptions"/> come from the section <c>Sqlite</c> of the Stout's own, where <c>Path</c>
    /// takes the place of <paramref name="path"/>.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="path">The database file where the configuration names none; made if there is none.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseSqlite(this StoutBuilder builder, string path) =>
        builder.UseSqlite(options => options.Path = options.Path.Length > 0 ? options.Path : path);
}
