using Azure;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

/// <summary>Rows with random properties fail for their own keys only.</summary>
public sealed class RowFuzzTests(Server server) : IDisposable
{
    private const int Rows = 1_000;
    private const int RowsPerRound = 100;

    private static readonly string[] Properties = [Layout.Stamp, Layout.Stamp, Layout.Owner, Layout.Generation, Layout.DeletedAt, Layout.Claim, "Bytes", "Value", "Value1"];

    private readonly TestTable _table = new(server.Account);

    public void Dispose() => _table.Dispose();

    [Theory]
    [InlineData("Stamp", "ffffffffffffffff000000000000000000000000000000000000000000000001")]
    [InlineData("Stamp", "0000000000000000000000000000000000000000000000000000000000000000")]
    [InlineData("Stamp", null)]
    [InlineData("Owner", "text")]
    [InlineData("Owner", "ffffffffffffffff00000000000000000000000000000001")]
    [InlineData("Owner", 7)]
    [InlineData("Generation", "text")]
    [InlineData("DeletedAt", "text")]
    [InlineData("DeletedAt", true)]
    [InlineData("Claim", 7)]
    [InlineData("Bytes", null)]
    [InlineData("Bytes", -1)]
    [InlineData("Value", "text")]
    [InlineData("Value", null)]
    public async Task Damaged_header_is_corrupt_alone(string property, object? value)
    {
        await using var store = await _table.OpenAsync();
        foreach (var key in (string[])["a", "bad", "c"])
            await store.PutAsync(key, Stamp.Absent, parts: [Part("", "own"), Part("part", "x")]);
        Change(RowKeys.Header("bad"), row => Set(row, property, value));

        foreach (var claims in store.Proxy.Capabilities.Claims ? (bool[])[false, true] : [false])
        {
            var reads = claims ? await store.ClaimAsync(["a", "bad", "c"]) : await store.ReadAsync(["a", "bad", "c"]);
            Assert.Equal(["=own part=x", "=own part=x"], new[] { Show(reads[0]), Show(reads[2]) });
            Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(reads[1].Error).Kind);
        }
    }

    [Fact]
    public async Task Note_whose_key_is_a_query_of_its_own_removes_nothing()
    {
        await using var store = await _table.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("part", "x")]);
        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        foreach (var note in _table.Rows().Where(row => row.RowKey.StartsWith(RowKeys.Garbage, StringComparison.Ordinal)))
        {
            Change(note.RowKey, row =>
            {
                row[Layout.Key] = "x' or RowKey ge 'o";
                row[Layout.Generation] = stamp.ToHex();
            });
        }

        await store.PutAsync("other", Stamp.Absent, parts: [Part("", "own"), Part("part", "x")]);

        _table.Time.Advance(TimeSpan.FromDays(400));
        await _table.SweepAsync();

        Assert.Equal("=own part=x", Show(await store.ReadAsync("other")));
    }

    [Theory]
    [InlineData(48)]
    public async Task Random_properties_are_settled_key_by_key(int seed)
    {
        var random = new Random(seed);
        await using var store = await _table.OpenAsync();
        var fuzzed = new FuzzedRows(store, random, mostKeys: 25);
        for (var round = 0; round < Rows / RowsPerRound; round++)
        {
            await fuzzed.RunAsync(RowsPerRound, async keys =>
            {
                var prefixes = keys.Select(key => RowKeys.Header(RowKeys.Encode(key))).ToHashSet();
                var rows = _table.Rows().Where(row => prefixes.Contains(row.RowKey[..(row.RowKey.IndexOf('!', StringComparison.Ordinal) + 1)]));
                await Parallel.ForEachAsync(
                    rows.Select(row => Damage(row, random)).ToList(),
                    async (row, token) => await _table.Other.UpdateEntityAsync(row, ETag.All, TableUpdateMode.Replace, token));
            });
        }

        Assert.InRange(fuzzed.Reads.Corrupt, Rows / 4, 2 * Rows);
        Assert.InRange(fuzzed.Reads.Answered, Rows / 20, 2 * Rows);
    }

    private static TableEntity Damage(TableEntity row, Random random)
    {
        for (var i = random.Next(3); i > 0; i--)
            Set(row, Properties[random.Next(Properties.Length)], random.Next(6) == 0 ? null : Value(random));
        return row;
    }

    private static object Value(Random random)
    {
        var bytes = new byte[random.Next(3) switch { 0 => 32, 1 => 0, _ => random.Next(100) }];
        random.NextBytes(bytes);
        return random.Next(9) switch
        {
            0 => random.Next(2) == 0,
            1 => random.Next(-2, 100),
            2 => random.NextInt64(),
            3 => random.NextDouble(),
            4 => bytes,
            5 => DateTimeOffset.UnixEpoch.AddDays(random.Next(100_000)),
            6 => Guid.NewGuid(),
            7 => Convert.ToHexString(bytes),
            _ => Convert.ToHexStringLower(bytes),
        };
    }

    private static void Set(TableEntity row, string property, object? value)
    {
        if (value is null)
            row.Remove(property);
        else
            row[property] = value;
    }

    private void Change(string rowKey, Action<TableEntity> change)
    {
        var row = _table.Other.GetEntity<TableEntity>(Layout.PartitionName(0), rowKey).Value;
        change(row);
        _table.Other.UpdateEntity(row, ETag.All, TableUpdateMode.Replace);
    }
}
