using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>Publications and change capture, which refuse changes of tables without a key.</summary>
public sealed class ChangeCaptureTests(SharedServer server)
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Publication_of_all_tables_changes_nothing_whether_made_before_the_first_open_or_after(bool isBefore)
    {
        await using var database = await KeptDatabase.CreateAsync(server.ConnectionString);
        if (!isBefore)
            await (await database.OpenAsync()).DisposeAsync();
        await database.AskAsync("CREATE PUBLICATION everything FOR ALL TABLES");

        await using var store = await database.OpenAsync();
        await LayoutContents.FillAsync(store);
        await LayoutContents.CheckAsync(store);
        await database.AskAsync("UPDATE stout.header SET deleted_at = now() - interval '2 days' WHERE deleted_at IS NOT NULL");
        var stamp = await store.PutAsync("parts 2", Stamp.Absent, parts: [Part("a", "1")]);
        await store.PutAsync("parts 2", stamp, KeyWriteKind.Delete);
        await store.ClaimAsync("claimed 2", new KeyClaim(Guid.NewGuid(), 9));
        await database.AskAsync("UPDATE stout.header SET deleted_at = now() - interval '2 days' WHERE deleted_at IS NOT NULL");

        // Sweeps parts, garbage and headers, and raises the floor.
        await database.SweepAsync();

        Assert.Equal(0L, await database.AskAsync("SELECT count(*) FROM stout.header WHERE deleted_at IS NOT NULL"));
        Assert.Equal(0L, await database.AskAsync("SELECT count(*) FROM stout.garbage"));
        Assert.Equal(9L, await database.AskAsync("SELECT epoch FROM stout.epoch_floor"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Every_table_names_its_rows_by_a_primary_key(bool isUpgraded)
    {
        await using var database = isUpgraded
            ? await KeptDatabase.RestoreAsync(server.ConnectionString, 3)
            : await KeptDatabase.CreateAsync(server.ConnectionString);
        await (await database.OpenAsync()).DisposeAsync();

        Assert.Equal(5L, await database.AskAsync("SELECT count(*) FROM pg_class WHERE relnamespace = 'stout'::regnamespace AND relkind = 'r'"));
        Assert.Null(await database.AskAsync(
            """
            SELECT c.relname::text FROM pg_class c
            WHERE c.relnamespace = 'stout'::regnamespace AND c.relkind = 'r' AND (c.relreplident <> 'd' OR NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary))
            """));
    }
}
