using System.Diagnostics.CodeAnalysis;
using Stout.Diagnostics;
using Stout.Hosting;
using Stout.PostgreSql;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Selects PostgreSQL as the store.</summary>
public static class PostgreSqlStoutBuilderExtensions
{
    /// <summary>
    /// Stores objects in PostgreSQL databases. <see cref="PostgreSqlOptions"/> are read from the section <c>PostgreSql</c> in this Stout's configuration
    /// section.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Changes the options in code, after configuration.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UsePostgreSql(this StoutBuilder builder, Action<PostgreSqlOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.UseStore(
            "PostgreSql",
            configure,
            static options => options.Validate(),
            (services, options) => new PostgreSqlStorage(options, services.GetService<TimeProvider>(), StoutDiagnostics.Of(services, builder.Name)));
    }

    /// <summary>
    /// Stores objects in one PostgreSQL database. <see cref="PostgreSqlOptions"/> are read from the section <c>PostgreSql</c> in this Stout's configuration
    /// section. <c>ConnectionStrings</c> there override <paramref name="connectionString"/>.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="connectionString">Npgsql's connection string.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UsePostgreSql(this StoutBuilder builder, string connectionString) =>
        builder.UsePostgreSql(options => options.ConnectionStrings = options.ConnectionStrings.Count > 0 ? options.ConnectionStrings : [connectionString]);
}
