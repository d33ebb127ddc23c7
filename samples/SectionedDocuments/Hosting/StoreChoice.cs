using Stout;
using Stout.Hosting;

namespace SectionedDocuments.Hosting;

/// <summary>Which store keeps the documents: the setting <c>Stout:Store</c>. Each store's options lie in a section of its name.</summary>
internal static class StoreChoice
{
    private const string Setting = "Stout:Store";

    /// <summary>The store's name and its way into a Stout.</summary>
    private static readonly Dictionary<string, Func<StoutBuilder, StoutBuilder>> Stores = new(StringComparer.OrdinalIgnoreCase)
    {
        ["Sqlite"] = static stout => stout.UseSqlite(),
        ["PostgreSql"] = static stout => stout.UsePostgreSql(),
        ["SqlServer"] = static stout => stout.UseSqlServer(),
        ["AzureTables"] = static stout => stout.UseAzureTables(),
        ["Cosmos"] = static stout => stout.UseCosmos(),
        ["InMemory"] = static stout => stout.UseInMemory(),
    };

    public static string StoreName(this IConfiguration configuration) => configuration[Setting] ?? "Sqlite";

    public static StoutBuilder UseStoreOf(this StoutBuilder stout, IConfiguration configuration)
    {
        var name = configuration.StoreName();
        return Stores.TryGetValue(name, out var use)
            ? use(stout)
            : throw new InvalidOptionException(Setting, name, $"it is one of {string.Join(", ", Stores.Keys.Order(StringComparer.Ordinal))}");
    }
}
