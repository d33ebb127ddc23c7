using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>Databases with another encoding and other settings than usual.</summary>
public sealed class ForeignSettingsTests(SharedServer server)
{
    [Theory]
    [InlineData("LATIN1")]
    [InlineData("SQL_ASCII")]
    [InlineData("EUC_JP")]
    public async Task Database_of_any_encoding_can_be_set_up_and_used(string encoding)
    {
        await using var database = await KeptDatabase.CreateAsync(server.ConnectionString, $"ENCODING '{encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
        await using (var store = await database.OpenAsync())
        {
            await LayoutContents.FillAsync(store);
            await LayoutContents.CheckAsync(store);
        }

        await Psql.RunAsync(database.ConnectionString, "-f", Psql.SchemaFile);
        Assert.Equal("again", await database.AskAsync("SELECT value FROM stout.readable WHERE key = 'plain' AND subkey = ''"));
    }

    [Fact]
    public async Task Settings_of_the_database_change_nothing()
    {
        await using var database = await KeptDatabase.CreateAsync(server.ConnectionString);
        string[] settings =
        [
            "standard_conforming_strings = off", "backslash_quote = off", "bytea_output = escape", "DateStyle = 'SQL, DMY'", "IntervalStyle = sql_standard",
            "TimeZone = 'Pacific/Apia'", "search_path = nowhere", "client_min_messages = error", "array_nulls = off", "transform_null_equals = on",
            "default_transaction_isolation = serializable", "synchronous_commit = off", "extra_float_digits = -15", "lock_timeout = 1", "quote_all_identifiers = on",
        ];
        foreach (var setting in settings)
            await database.AskAsync($"DO $do$ BEGIN EXECUTE format('ALTER DATABASE %I SET {setting.Replace("'", "''", StringComparison.Ordinal)}', current_database()); END $do$");

        await using (var store = await database.OpenAsync())
        {
            await LayoutContents.FillAsync(store);
            await LayoutContents.CheckAsync(store);
            await store.PutAsync("bytes", Stamp.Absent, parts: [Part("", [0x5c, 0x78, 0x01])]);
            await database.AskAsync("UPDATE stout.header SET generation = decode(repeat('ff', 28), 'hex') WHERE key = 'parts'");
            Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>((await store.ReadAsync("parts")).Error).Kind);
        }

        await Psql.RunAsync(database.ConnectionString, "-f", Psql.SchemaFile);
        Assert.Equal("\\x5c7801", await database.AskAsync("SELECT value FROM stout.readable WHERE key = 'bytes'"));
    }
}
