using System.Diagnostics;
using Npgsql;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>Opening a store creates its tables, or refuses.</summary>
public sealed class SetupTests(ThreeDatabases databases) : IClassFixture<ThreeDatabases>
{
    private readonly TestSchema _schema = new(databases);

    [Fact]
    public async Task Clients_that_open_empty_databases_at_once_make_one_set()
    {
        var stores = await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => _schema.OpenAsync()));

        var stamp = await stores[0].PutAsync("key", Stamp.Absent, parts: [Part("", "value")]);
        foreach (var store in stores)
            Assert.Equal(stamp, (await store.ReadAsync("key")).Version);
        foreach (var store in stores)
            await store.DisposeAsync();
    }

    [Fact]
    public async Task Schema_that_a_person_has_made_with_psql_is_used_and_making_it_again_does_no_harm()
    {
        _schema.Options = _schema.Options with { CreateMissing = false, ConnectionStrings = [databases.ConnectionString] };
        var refusal = await _schema.RefusalAsync();
        Assert.Equal(StoreErrorKind.LayoutMismatch, refusal.Kind);
        Assert.Contains("schema.sql", refusal.Message, StringComparison.Ordinal);
        await Psql.RunAsync(databases.ConnectionString, "-v", "schema=" + _schema.Options.Schema, "--single-transaction", "-f", Psql.SchemaFile);
        await using var store = await _schema.OpenAsync();
        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "value")]);

        await Psql.RunAsync(databases.ConnectionString, "-v", "schema=" + _schema.Options.Schema, "--single-transaction", "-f", Psql.SchemaFile);

        Assert.Equal("=value", Show(await store.ReadAsync("key")));
        await using var again = await _schema.OpenAsync();
        Assert.Equal("=value", Show(await again.ReadAsync("key")));
    }

    [Fact]
    public async Task Schema_with_the_longest_name_is_created_and_found_again()
    {
        // PostgreSQL truncates names to 63 bytes.
        var name = _schema.Options.Schema;
        _schema.Options = _schema.Options with { Schema = name + new string('x', 63 - name.Length), ConnectionStrings = [databases.ConnectionString] };
        await using (var store = await _schema.OpenAsync())
            await store.PutAsync("key", Stamp.Absent, parts: [Part("", "value")]);

        await using var again = await _schema.OpenAsync();
        Assert.Equal("=value", Show(await again.ReadAsync("key")));
    }

    [Fact]
    public async Task Set_in_another_order_or_of_another_size_or_mixed_with_another_is_refused()
    {
        await (await _schema.OpenAsync()).DisposeAsync();
        var all = databases.ConnectionStrings;
        string[][] wrong = [[all[1], all[0], all[2]], [all[0], all[1]], [all[0]], [all[0], all[1], all[1]]];
        foreach (var strings in wrong)
            Assert.Equal(StoreErrorKind.LayoutMismatch, (await _schema.RefusalAsync(_schema.Options with { ConnectionStrings = strings })).Kind);

        var other = new TestSchema(databases);
        await (await other.OpenAsync()).DisposeAsync();
        await _schema.ExecuteAsync($"UPDATE @.identity SET set_id = (SELECT set_id FROM {other.Quoted}.identity)");
        Assert.Equal(StoreErrorKind.LayoutMismatch, (await _schema.RefusalAsync()).Kind);
    }

    [Fact]
    public async Task Database_that_lost_its_schema_is_missing_from_its_set_and_not_made_anew()
    {
        await (await _schema.OpenAsync()).DisposeAsync();
        await _schema.ExecuteAsync("DROP SCHEMA @ CASCADE");

        Assert.Equal(StoreErrorKind.LayoutMismatch, (await _schema.RefusalAsync()).Kind);
    }

    [Fact]
    public async Task Setup_that_ended_before_all_databases_had_joined_is_finished()
    {
        await (await _schema.OpenAsync()).DisposeAsync();
        foreach (var connection in databases.ConnectionStrings)
            await TestDatabases.ExecuteOnAsync(connection, $"UPDATE {_schema.Quoted}.identity SET ready = false");
        await _schema.ExecuteAsync("UPDATE @.identity SET set_id = NULL, partition = NULL, partitions = NULL, hash = NULL");

        await using var store = await _schema.OpenAsync();

        await store.PutAsync("key", Stamp.Absent);
        Assert.Equal(true, await _schema.ExecuteAsync("SELECT ready FROM @.identity"));
    }

    [Theory]
    [InlineData("UPDATE @.identity SET version = 1")]
    [InlineData("UPDATE @.identity SET layout = 'diary'")]
    [InlineData("UPDATE @.identity SET hash = 'md5'")]
    [InlineData("DELETE FROM @.identity")]
    [InlineData("ALTER TABLE @.identity DROP COLUMN hash")]
    public async Task Other_layout_is_refused(string change)
    {
        await (await _schema.OpenAsync()).DisposeAsync();
        await _schema.ExecuteAsync(change);

        Assert.Equal(StoreErrorKind.LayoutMismatch, (await _schema.RefusalAsync()).Kind);
    }

    [Fact]
    public async Task Tables_that_do_not_survive_a_crash_are_refused_unless_the_options_allow_them()
    {
        await (await _schema.OpenAsync()).DisposeAsync();
        await _schema.ExecuteAsync("ALTER TABLE @.header SET UNLOGGED");

        Assert.Equal(StoreErrorKind.Refused, (await _schema.RefusalAsync()).Kind);
        await using var store = await StoreClient.OpenAsync(new PostgreSqlStorage(_schema.Options with { AllowUnsafeServer = true }));
    }
}
