using System.Diagnostics.CodeAnalysis;
using Stout.Hosting;
using Stout.SqlServer;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Selects SQL Server as the store.</summary>
public static class SqlServerStoutBuilderExtensions
{
    /// <summary>
    /// Stores objects in SQL Server or Azure SQL. <see cref="SqlServerOptions"/> are read from the section <c>SqlServer</c> in this Stout's configuration
    /// section.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Changes the options in code, after configuration.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseSqlServer(this StoutBuilder builder, Action<SqlServerOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.UseStore(
            "SqlServer", configure, static options => options.Validate(), static (services, options) => new SqlServerStorage(options, services.GetService<TimeProvider>()));
    }

    /// <summary>
    /// Stores objects in one database. <see cref="SqlServerOptions"/> are read from the section <c>SqlServer</c> in this Stout's configuration section.
    /// <c>ConnectionStrings</c> there override <paramref name="connectionString"/>.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="connectionString">A connection string of Microsoft.Data.SqlClient.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseSqlServer(this StoutBuilder builder, string connectionString) =>
        builder.UseSqlServer(options => options.ConnectionStrings = options.ConnectionStrings.Count > 0 ? options.ConnectionStrings : [connectionString]);
}
