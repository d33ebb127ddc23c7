using System.Diagnostics.CodeAnalysis;
using Stout.AzureTables;
using Stout.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Selects Azure Tables as the store.</summary>
public static class AzureTablesStoutBuilderExtensions
{
    /// <summary>
    /// Stores objects in Azure Tables. <see cref="AzureTablesOptions"/> are read from the section <c>AzureTables</c> in this Stout's configuration section.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Changes the options in code, after configuration; mainly for the credential.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseAzureTables(this StoutBuilder builder, Action<AzureTablesOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.UseStore(
            "AzureTables", configure, static options => options.Validate(), static (services, options) => new AzureTablesStorage(options, services.GetService<TimeProvider>()));
    }

    /// <summary>
    /// Stores objects in one account. <see cref="AzureTablesOptions"/> are read from the section <c>AzureTables</c> in this Stout's configuration section.
    /// <c>Accounts</c> there override <paramref name="account"/>.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="account">A connection string, or the address of the account's table service.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseAzureTables(this StoutBuilder builder, string account) =>
        builder.UseAzureTables(options => options.Accounts = options.Accounts.Count > 0 ? options.Accounts : [account]);
}
