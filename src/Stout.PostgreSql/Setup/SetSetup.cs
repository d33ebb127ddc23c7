using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Setup;

/// <summary>Makes new databases one set, and refuses databases that are not one complete set.</summary>
internal static class SetSetup
{
    /// <exception cref="StoreException">The databases are not one complete set, or cannot be used.</exception>
    public static async Task RunAsync(IReadOnlyList<NpgsqlDataSource> sources, PostgreSqlOptions options, CancellationToken cancellationToken)
    {
        var databases = new List<DatabaseSetup>();
        try
        {
            foreach (var source in sources)
                databases.Add(await DatabaseSetup.OpenAsync(source, databases.Count, options, cancellationToken).ConfigureAwait(false));
            await PartitionSet.SetUpAsync(IdentityTable.Layout, IdentityTable.Version, databases, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            foreach (var database in databases)
                await database.DisposeAsync().ConfigureAwait(false);
        }
    }
}
