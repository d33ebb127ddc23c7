using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Options;
using Stout.Hosting;
using Stout.SqlServer;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Chooses SQL Server.</summary>
public static class SqlServerStoutBuilderExtensions
{
    /// <summary>
    /// Keeps everything in SQL Server or Azure SQL; <see cref="SqlServerOptions"/> come from the section <c>SqlServer</c> of the Stout's own.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Sets options in code; it has the last word.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseSqlServer(this StoutBuilder builder, Action<SqlServerOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder
            .AddOptions("SqlServer", configure, static options => options.Validate())
            .UseStore(services => new SqlServerStorage(
                services.GetRequiredService<IOptionsMonitor<SqlServerOptions>>().Get(builder.Name), services.GetService<TimeProvider>()));
    }

    /// <summary>
    /// Keeps everything in one database. <see cref="SqlServerOptions"/> come from the section <c>SqlServer</c> of the Stout's own, where
    /// <c>ConnectionStrings</c> take the place of <paramref name="connectionString"/>.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="connectionString">Names the database, as Microsoft.Data.SqlClient understands it.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseSqlServer(this StoutBuilder builder, string connectionString) =>
        builder.UseSqlServer(options => options.ConnectionStrings = options.ConnectionStrings.Count > 0 ? options.ConnectionStrings : [connectionString]);
}
