using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.SqlServer.Tests;

/// <summary>Opening a store creates its schema.</summary>
public sealed class SetupTests : IAsyncDisposable
{
    private readonly ServerSchema _schema = new();

    public ValueTask DisposeAsync() => _schema.DisposeAsync();

    [Theory]
    [InlineData("version = 1")]
    [InlineData("name = N'other'")]
    [InlineData("hash = N'other'")]
    [InlineData("partition_count = 3")]
    [InlineData("partition_index = 1")]
    public async Task Database_of_another_layout_set_or_place_is_foreign(string change)
    {
        await (await _schema.OpenAsync()).DisposeAsync();
        await _schema.RowsAsync("UPDATE [stout].[layout] SET " + change);

        Assert.Equal(StoreErrorKind.LayoutMismatch, (await _schema.RefusalAsync()).Kind);
    }

    [Fact]
    public async Task Schema_that_a_person_has_to_make_is_foreign_until_it_is_there()
    {
        var options = _schema.Options with { CreateMissing = false };
        Assert.Equal(StoreErrorKind.LayoutMismatch, (await _schema.RefusalAsync(options)).Kind);
        foreach (var batch in Setup.SchemaScript.BatchesFor(_schema.Name))
            await _schema.RowsAsync(batch);

        await using var storage = new SqlServerStorage(options, _schema.Time);
        Assert.Single(await storage.OpenAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Servers_that_start_at_once_set_up_one_store()
    {
        var stores = await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => Task.Run(_schema.OpenAsync)));

        var stamp = await stores[0].PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);

        Assert.All(await Task.WhenAll(stores.Select(store => store.ReadAsync("key"))), read => Assert.Equal(stamp, read.Version));
        foreach (var store in stores)
            await store.DisposeAsync();
    }

    [Fact]
    public async Task Wrong_password_is_refused_and_not_told()
    {
        var settings = new Microsoft.Data.SqlClient.SqlConnectionStringBuilder(ServerSchema.ServerOrSkip()) { UserID = "nobody_here", Password = "s3cr3t-Wrong" };

        var error = await _schema.RefusalAsync(_schema.Options with { ConnectionStrings = [settings.ConnectionString] });

        Assert.Equal(StoreErrorKind.Refused, error.Kind);
        Assert.DoesNotContain("s3cr3t", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Database_that_delays_durability_is_refused_unless_the_options_take_it()
    {
        await using var database = await OwnDatabase.CreateAsync("SET DELAYED_DURABILITY = FORCED");
        var options = _schema.Options with { ConnectionStrings = [database.ConnectionString] };

        Assert.Equal(StoreErrorKind.Refused, (await _schema.RefusalAsync(options)).Kind);

        await using var storage = new SqlServerStorage(options with { AllowUnsafeServer = true }, _schema.Time);
        Assert.Single(await storage.OpenAsync(TestContext.Current.CancellationToken));
    }
}
