using Stout;
using Stout.Hosting;

namespace SectionedDocuments.Hosting;

/// <summary>The choice of the documents' store by the setting <c>Stout:Store</c>. The options of each store are in a section with the store's name.</summary>
internal static class StoreChoice
{
    private const string Setting = "Stout:Store";
    private const string Default = "Sqlite";

    /// <summary>The stores' names, and the functions that add them to Stout.</summary>
    private static readonly Dictionary<string, Func<StoutBuilder, StoutBuilder>> Stores = new(StringComparer.OrdinalIgnoreCase)
    {
        [Default] = static stout => stout.UseSqlite(),
        ["PostgreSql"] = static stout => stout.UsePostgreSql(),
        ["SqlServer"] = static stout => stout.UseSqlServer(),
        ["AzureTables"] = static stout => stout.UseAzureTables(),
        ["Cosmos"] = static stout => stout.UseCosmos(),
        ["InMemory"] = static stout => stout.UseInMemory(),
    };

    /// <summary>The store's name, with the case as in <see cref="Stores"/>.</summary>
    /// <exception cref="InvalidOptionException">The setting names no store.</exception>
    public static string StoreName(this IConfiguration configuration)
    {
        var name = configuration[Setting] ?? Default;
        return Stores.Keys.FirstOrDefault(known => known.Equals(name, StringComparison.OrdinalIgnoreCase))
            ?? throw new InvalidOptionException(Setting, $"it must be one of {string.Join(", ", Stores.Keys.Order(StringComparer.Ordinal))}");
    }

    public static StoutBuilder UseStoreOf(this StoutBuilder stout, IConfiguration configuration) =>
        Stores[configuration.StoreName()](stout.IgnoreSettings(Stores.Keys));
}
