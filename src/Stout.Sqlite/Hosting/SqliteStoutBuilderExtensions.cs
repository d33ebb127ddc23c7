using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Hosting;
using Stout.Diagnostics;
using Stout.Hosting;
using Stout.Sqlite;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Selects SQLite as the store.</summary>
public static class SqliteStoutBuilderExtensions
{
    /// <summary>
    /// Stores objects in SQLite files. The <see cref="SqliteOptions"/> are read from the section <c>Sqlite</c> within Stout's configuration section.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Changes the options in code, after they were read from the configuration.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseSqlite(this StoutBuilder builder, Action<SqliteOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.UseStore(
            "Sqlite", configure, static options => options.Validate(), (services, options) => Create(services, options, builder.Name));
    }

    /// <summary>
    /// Stores objects in a SQLite file. The <see cref="SqliteOptions"/> are read from the section <c>Sqlite</c> within Stout's configuration section. A
    /// <c>Path</c> in that section overrides <paramref name="path"/>.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="path">The default path of the database file, which is created if missing. A relative path begins at the host's content root.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseSqlite(this StoutBuilder builder, string path) =>
        builder.UseSqlite(options => options.Path = options.Path.Length > 0 ? options.Path : path);

    private static SqliteStorage Create(IServiceProvider services, SqliteOptions options, string name)
    {
        var host = services.GetService<IHostEnvironment>();
        if (host is { ContentRootPath.Length: > 0 } && !Path.IsPathFullyQualified(options.Path))
        {
            var (path, other) = (Path.GetFullPath(options.Path, Path.GetFullPath(host.ContentRootPath)), Path.GetFullPath(options.Path));
            options = options with { Path = path, OtherPath = other == path ? null : other };
        }

        return new SqliteStorage(options, services.GetService<TimeProvider>(), StoutDiagnostics.Of(services, name), host?.IsDevelopment() == true);
    }
}
