using System.Globalization;
using System.Text;
using Stout.Storage;
using Stout.Tests;
using static Stout.Testing.StoreClient;

namespace Stout.SqlServer.Tests;

/// <summary>Rows with random columns fail for their own keys only.</summary>
public sealed class RowFuzzTests : IAsyncDisposable
{
    private const int Rows = 1_000;
    private const int RowsPerRound = 100;

    private readonly ServerSchema _schema = new();

    public ValueTask DisposeAsync() => _schema.DisposeAsync();

    [Theory]
    [InlineData("UPDATE [stout].[header] SET epoch = -1")]
    [InlineData("UPDATE [stout].[header] SET claim = 0x01")]
    [InlineData("UPDATE [stout].[header] SET claim = 0x00000000000000000000000000000001")]
    [InlineData("UPDATE [stout].[header] SET epoch = -1, stamp = 0xFFFFFFFFFFFFFFFF000000000000000000000000000000000000000000000001")]
    [InlineData("UPDATE [stout].[header] SET stamp = 0xFF")]
    [InlineData("UPDATE [stout].[header] SET stamp = 0x0000000000000000000000000000000000000000000000000000000000000000")]
    [InlineData("UPDATE [stout].[header] SET generation = 0x01")]
    [InlineData("UPDATE [stout].[header] SET deleted_at = -1")]
    [InlineData("UPDATE [stout].[header] SET deleted_at = 1")]
    [InlineData("UPDATE [stout].[header] SET root = 3")]
    [InlineData("UPDATE [stout].[header] SET root = 0")]
    [InlineData("UPDATE [stout].[header] SET root = 2")]
    [InlineData("UPDATE [stout].[header] SET has_rows = 7")]
    [InlineData("UPDATE [stout].[header] SET value = NULL")]
    [InlineData("UPDATE [stout].[part] SET subkey = 0x")]
    [InlineData("UPDATE [stout].[part] SET subkey = 0x01")]
    [InlineData("UPDATE [stout].[part] SET subkey = 0xFF01")]
    public async Task Damaged_key_is_corrupt_alone_read_claimed_and_written(string damage)
    {
        await using var store = await _schema.OpenAsync();
        var stamps = new Dictionary<string, Stamp>();
        foreach (var key in (string[])["a", "bad", "c"])
            stamps[key] = await store.PutAsync(key, Stamp.Absent, parts: [Part("", "own"), Part("part", "x")]);
        await _schema.RowsAsync($"{damage} WHERE [key] = {KeyOf("bad")}");

        var owners = new KeyOwner[3];
        foreach (var claims in store.Proxy.Capabilities.Claims ? (bool[])[false, true] : [false])
        {
            var reads = claims ? await store.ClaimAsync(["a", "bad", "c"]) : await store.ReadAsync(["a", "bad", "c"]);
            Assert.Equal(["=own part=x", "=own part=x"], new[] { Show(reads[0]), Show(reads[2]) });
            Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(reads[1].Error).Kind);
            owners = [.. reads.Select(read => read.Owner)];
        }

        var batch = new WriteBatch();
        foreach (var (i, key) in ((string[])["a", "bad", "c"]).Index())
            store.Add(batch, store.NewWrite(key, stamps[key], owner: owners[i]), Part("part", "y"));
        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);
        Assert.Equal([WriteOutcomeKind.Committed, WriteOutcomeKind.Committed], new[] { batch.OutcomeOf(0).Kind, batch.OutcomeOf(2).Kind });

        // The write may succeed if the damage is in columns that it does not read. But its outcome must be certain.
        Assert.NotEqual(WriteOutcomeKind.Unknown, batch.OutcomeOf(1).Kind);
    }

    [Theory]
    [InlineData(48)]
    public async Task Random_columns_are_settled_key_by_key(int seed)
    {
        var random = new Random(seed);
        await using var store = await _schema.OpenAsync();
        var fuzzed = new FuzzedRows(store, random);
        for (var round = 0; round < Rows / RowsPerRound; round++)
        {
            await fuzzed.RunAsync(
                RowsPerRound,
                async keys => await _schema.RowsAsync(string.Concat(keys.Select(key => Damage(key, random)))));
        }

        Assert.InRange(fuzzed.Reads.Corrupt, Rows / 4, 2 * Rows);
        Assert.InRange(fuzzed.Reads.Answered, Rows / 20, 2 * Rows);
    }

    private static string Damage(string key, Random random)
    {
        var sql = new StringBuilder();
        for (var i = random.Next(3); i >= 0; i--)
        {
            var (table, column) = random.Next(12) switch
            {
                0 => ("header", "epoch"),
                1 or 2 => ("header", "stamp"),
                3 => ("header", "generation"),
                4 => ("header", "deleted_at"),
                5 => ("header", "root"),
                6 => ("header", "has_rows"),
                7 => ("header", "value"),
                8 => ("part", "generation"),
                9 => ("part", "subkey"),
                10 => ("header", "claim"),
                _ => ("part", "value"),
            };
            var value = column switch
            {
                "epoch" or "deleted_at" => random.NextInt64(long.MinValue, long.MaxValue).ToString(CultureInfo.InvariantCulture),
                "root" or "has_rows" => random.Next(-2, 5).ToString(CultureInfo.InvariantCulture),
                "stamp" or "generation" => Bytes(random, 32),
                "claim" => Bytes(random, 16),
                "subkey" => Bytes(random, 129),
                _ => table == "header" && random.Next(3) == 0 ? "NULL" : Bytes(random, 200),
            };
            var row = table == "part" ? $" AND subkey = (SELECT TOP 1 p.subkey FROM [stout].[part] p WHERE p.[key] = {KeyOf(key)} ORDER BY p.subkey)" : "";
            sql.Append(CultureInfo.InvariantCulture, $"UPDATE [stout].[{table}] SET {column} = {value} WHERE [key] = {KeyOf(key)}{row};\n");
        }

        return sql.ToString();
    }

    private static string Bytes(Random random, int most)
    {
        var bytes = new byte[random.Next(4) switch { 0 => Math.Min(32, most), 1 => 0, _ => random.Next(most + 1) }];
        random.NextBytes(bytes);
        return $"0x{Convert.ToHexString(bytes)}";
    }

    private static string KeyOf(string key) => $"0x{Convert.ToHexString(Encoding.UTF8.GetBytes(key))}01";
}
