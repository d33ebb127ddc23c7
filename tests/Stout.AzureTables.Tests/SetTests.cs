using Azure;
using Azure.Data.Tables;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

/// <summary>A set of partitions must be complete, and must be opened with the settings with which it was made.</summary>
public sealed class SetTests(Server server) : IDisposable
{
    private readonly TestTable _table = new(server.Account);

    public void Dispose() => _table.Dispose();

    [Fact]
    public async Task Set_that_is_made_by_many_at_once_is_one()
    {
        _table.Options.PartitionsPerAccount = 4;

        await Task.WhenAll(Enumerable.Range(0, 8).Select(async _ => await (await _table.OpenAsync()).DisposeAsync()));

        var rows = _table.Rows();
        Assert.Equal(["0000", "0001", "0002", "0003"], rows.Select(row => row.PartitionKey));
        Assert.Single(rows.Select(row => row.GetString("SetId")).Distinct());
        Assert.All(rows, row => Assert.True(row.GetBoolean("IsReady")));
    }

    [Fact]
    public async Task Set_whose_making_was_broken_off_is_finished()
    {
        _table.Options.PartitionsPerAccount = 3;
        await (await _table.OpenAsync()).DisposeAsync();
        Merge("0000", "IsReady", false);
        Merge("0001", "IsReady", false);
        Remove("0002");

        await (await _table.OpenAsync()).DisposeAsync();

        Assert.Equal(3, _table.Rows().Count);
        Assert.Single(_table.Rows().Select(row => row.GetString("SetId")).Distinct());
        Assert.All(_table.Rows(), row => Assert.True(row.GetBoolean("IsReady")));
    }

    [Theory]
    [InlineData("0000")]
    [InlineData("0002")]
    public async Task Partition_that_is_missing_from_a_whole_set_is_not_made_again(string partition)
    {
        _table.Options.PartitionsPerAccount = 3;
        await (await _table.OpenAsync()).DisposeAsync();
        Remove(partition);

        Assert.Equal(StoreErrorKind.LayoutMismatch, (await _table.RefusalAsync()).Kind);
        Assert.Equal(2, _table.Rows().Count);
    }

    [Theory]
    [InlineData("Layout", "something else")]
    [InlineData("Version", "1")]
    [InlineData("Hash", "md5")]
    [InlineData("Version", 1)]
    [InlineData("SetId", "another")]
    [InlineData("SetId", "6a0d9a1e-38a3-4d62-9d5b-3d6a0f6c1c11")]
    public async Task Partition_that_is_not_of_the_set_is_refused(string property, object value)
    {
        _table.Options.PartitionsPerAccount = 2;
        await (await _table.OpenAsync()).DisposeAsync();
        Merge("0001", property, value);

        Assert.Equal(StoreErrorKind.LayoutMismatch, (await _table.RefusalAsync()).Kind);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public async Task Set_is_not_used_as_one_of_another_number_of_partitions(int partitions)
    {
        _table.Options.PartitionsPerAccount = 3;
        await (await _table.OpenAsync()).DisposeAsync();
        _table.Options.PartitionsPerAccount = partitions;

        Assert.Equal(StoreErrorKind.LayoutMismatch, (await _table.RefusalAsync()).Kind);
    }

    [Fact]
    public async Task Several_accounts_are_one_set()
    {
        // One account stands for two, since only the partitions' positions matter.
        _table.Options.Accounts = [server.Account, server.Account];
        _table.Options.PartitionsPerAccount = 2;
        await using var store = await _table.OpenAsync();

        Assert.Equal(4, store.Partitions);
        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "x")]);
        Assert.Equal("=x", Show(await store.ReadAsync("key")));
    }

    /// <summary>Azure's own client creates the table, as in deploy/schemas/azure-tables.md.</summary>
    [Fact]
    public async Task Table_that_a_person_has_to_make_is_foreign_until_it_is_there()
    {
        _table.Options.CreateMissing = false;
        Assert.Equal(StoreErrorKind.LayoutMismatch, (await _table.RefusalAsync()).Kind);
        Assert.Equal(404, Assert.Throws<RequestFailedException>(_table.Rows).Status);

        await _table.Other.CreateAsync(TestContext.Current.CancellationToken);
        await using var store = await _table.OpenAsync();

        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "x")]);
        Assert.Equal(2, _table.Rows().Count);
    }

    private void Merge(string partition, string property, object value) =>
        _table.Other.UpsertEntity(new TableEntity(partition, "!identity") { [property] = value });

    private void Remove(string partition) => _table.Other.DeleteEntity(partition, "!identity");
}
