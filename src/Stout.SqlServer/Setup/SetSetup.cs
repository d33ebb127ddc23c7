using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Setup;

/// <summary>Makes new databases one set, and refuses databases that are not one complete set.</summary>
internal static class SetSetup
{
    /// <exception cref="StoreException">The databases are not one complete set, or cannot be used.</exception>
    public static async ValueTask RunAsync(IReadOnlyList<Database> databases, SqlServerOptions options, CancellationToken token)
    {
        DatabaseSetup[] setups = [.. databases.Select(static (database, i) => new DatabaseSetup(database, i))];
        foreach (var setup in setups)
            await PrepareAsync(setup, options, token).ConfigureAwait(false);
        await PartitionSet.SetUpAsync(Layout.Name, Layout.Version, setups, token).ConfigureAwait(false);
    }

    private static async ValueTask PrepareAsync(DatabaseSetup setup, SqlServerOptions options, CancellationToken token)
    {
        if (options.CreateMissing)
            await setup.MakeSchemaAsync(token).ConfigureAwait(false);
        else if (!await setup.HasSchemaAsync(token).ConfigureAwait(false))
            throw new StoreException(StoreErrorKind.LayoutMismatch, "A database has not been set up: a person has to run deploy/schemas/sqlserver there.");
        if (!options.AllowUnsafeServer && await setup.DelaysDurabilityAsync(token).ConfigureAwait(false))
        {
            throw new StoreException(
                StoreErrorKind.Refused,
                $"A database has DELAYED_DURABILITY = FORCED, so that acknowledged data can be lost; {nameof(SqlServerOptions.AllowUnsafeServer)} would take it.");
        }
    }
}
