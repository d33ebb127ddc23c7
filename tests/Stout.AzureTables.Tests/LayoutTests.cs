using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

/// <summary>Azure's own client reads Stout's rows, and Stout reads rows of that client.</summary>
public sealed class LayoutTests(Server server) : IDisposable
{
    private readonly TestTable _table = new(server.Account);

    public void Dispose() => _table.Dispose();

    [Fact]
    public async Task Another_client_reads_what_was_written()
    {
        await using var store = await _table.OpenAsync();
        var large = new byte[150_000];
        new Random(1).NextBytes(large);
        var stamp = await store.PutAsync("doc/1", Stamp.Absent, parts: [Part("", large), Part("é\0", "part"), Part("empty", "")]);

        var header = Row("doc丯1!");
        Assert.Equal(stamp.ToHex(), header.GetString("Stamp"));
        Assert.Equal(large.Length, header.GetInt32("Bytes"));
        Assert.Equal(large, (byte[])[.. header.GetBinary("Value"), .. header.GetBinary("Value1"), .. header.GetBinary("Value2")]);
        var part = Row($"doc丯1!{stamp.ToHex()}!仃亩一");
        Assert.Equal("part"u8.ToArray(), part.GetBinary("Value"));
        Assert.Equal(0, Row($"doc丯1!{stamp.ToHex()}!empty").GetInt32("Bytes"));
    }

    [Fact]
    public async Task What_another_client_writes_is_read()
    {
        await using var store = await _table.OpenAsync();
        var stamp = store.NextStamp();
        var value = new byte[RowValue.PieceBytes + 1];
        new Random(2).NextBytes(value);
        Insert($"key!{stamp.ToHex()}!a", ("Bytes", 2), ("Value", "ab"u8.ToArray()));
        Insert(
            "key!",
            ("Stamp", stamp.ToHex()),
            ("Generation", stamp.ToHex()),
            ("Bytes", value.Length),
            ("Value", value[..RowValue.PieceBytes]),
            ("Value1", value[RowValue.PieceBytes..]));

        var read = await store.ReadAsync("key");

        Assert.Equal(stamp, read.Version);
        Assert.Equal(value, read.Parts.Single(p => p.SubKey.IsRoot).Value.ToArray());
        Assert.Equal("ab"u8.ToArray(), read.Parts.Single(p => p.SubKey.Text == "a").Value.ToArray());
        await store.PutAsync("key", stamp, parts: [Part("", "ours")]);
        Assert.Equal("=ours a=ab", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task Object_without_parts_is_one_row_and_a_change_of_parts_leaves_its_own_bytes_alone()
    {
        await using var store = await _table.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", new byte[300_000])]);
        stamp = await store.PutAsync("key", stamp, parts: [Part("", new byte[100_000])]);
        Assert.Single(KeyRows());
        Assert.False(Row("key!").ContainsKey("Value2"));

        stamp = await store.PutAsync("key", stamp, parts: [Part("a", "1")]);

        Assert.Equal(2, KeyRows().Count);
        Assert.Equal(100_000, (await store.ReadAsync("key")).Parts.Single(p => p.SubKey.IsRoot).Value.Length);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        Assert.Equal(["Bytes", "Stamp"], [.. Row("key!").Keys.Append("Bytes").Except(["DeletedAt", "PartitionKey", "RowKey", "Timestamp", "odata.etag"]).Order(StringComparer.Ordinal)]);
    }

    [Fact]
    public async Task Damaged_rows_are_reported()
    {
        await using var store = await _table.OpenAsync();
        var stamp = await store.PutAsync("short", Stamp.Absent, parts: [Part("", "four")]);
        Merge("short!", ("Bytes", 5));
        await store.PutAsync("part", Stamp.Absent, parts: [Part("a", "1")]);
        Merge(_table.Rows().Single(row => row.RowKey.StartsWith("part!0", StringComparison.Ordinal)).RowKey, ("Bytes", 2));
        await store.PutAsync("stamp", Stamp.Absent, parts: [Part("", "x")]);
        Merge("stamp!", ("Stamp", "no stamp"));

        foreach (var key in new[] { "short", "part", "stamp" })
        {
            var read = await store.ReadAsync(key);
            Assert.Equal((ReadOutcomeKind.Refused, StoreErrorKind.Corrupt), (read.Kind, Assert.IsType<StoreException>(read.Error).Kind));
        }

        Assert.False(stamp.IsAbsent);
    }

    [Fact]
    public async Task Largest_value_of_the_service_is_fifteen_properties_and_fits_into_an_entity()
    {
        var body = "";
        using var wire = new Wire
        {
            Instead = request =>
            {
                body = request.Content!.ReadAsStringAsync().GetAwaiter().GetResult();
                return Wire.Answer(202, ServiceAnswers.ChangeSet(1), ServiceAnswers.MultipartType);
            },
        };
        var account = TableAccount.Connect("AccountName=a;AccountKey=aaaa", credential: null, wire.Transport);
        var options = new AzureTablesOptions { Accounts = ["AccountName=a;AccountKey=aaaa"] };
        var table = new PartitionTable(account.GetTableClient("stout"), account.Uri, 0, new StoreCalls(new(), AzureTablesErrors.Classify));
        var limits = AzureTablesLimits.For(options, isEmulator: false);
        var batch = new WriteBatch();
        batch.Add(
            new KeyWrite(new PartitionKey(new string('/', 256)), KeyWriteKind.Merge, Stamp.Absent, null, new Stamp(1, Guid.NewGuid(), 1)),
            [Part("", new byte[limits.MaxValueBytes])]);

        using var floor = new Writing.FloorRow(table);
        await using var sweeper = new Writing.Sweeper(table, floor, options.Sweeping, TimeProvider.System);
        await new Writing.BatchWriter(table, limits, sweeper, TimeProvider.System).WriteAsync(batch, TestContext.Current.CancellationToken);

        Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(0).Kind);
        Assert.DoesNotContain("PartitionKey='-'", body, StringComparison.Ordinal);
        Assert.Contains("\"Value14\":", body, StringComparison.Ordinal);
        Assert.DoesNotContain("\"Value15\":", body, StringComparison.Ordinal);

        // The service's formula for the size of an entity: 4 bytes, 2 for each UTF-16 unit of the two keys, and the properties. A property has 8 bytes, 2 for
        // each unit of its name, and its value.
        var entity = 4 + (2 * (4 + 257)) + (8 + 10 + 4 + 128) + (8 + 10 + 4) + (15 * (8 + 14 + 4)) + limits.MaxValueBytes;
        Assert.InRange(entity, 1, 1 << 20);
    }

    private void Insert(string row, params (string Name, object Value)[] properties) =>
        _table.Other.AddEntity(Entity(row, properties));

    private void Merge(string row, params (string Name, object Value)[] properties) =>
        _table.Other.UpsertEntity(Entity(row, properties));

    private static TableEntity Entity(string row, (string Name, object Value)[] properties) =>
        new(properties.ToDictionary(property => property.Name, property => property.Value)) { PartitionKey = "0000", RowKey = row };

    private TableEntity Row(string key) => _table.Rows().Single(row => row.RowKey == key);

    private List<TableEntity> KeyRows() => [.. _table.Rows().Where(row => row.RowKey[0] != RowKeys.Separator)];
}
