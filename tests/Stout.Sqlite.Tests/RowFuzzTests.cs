using System.Globalization;
using System.Text;
using Stout.Storage;
using Stout.Tests;

namespace Stout.Sqlite.Tests;

/// <summary>Rows with random columns. The outcomes of reads are compared with those of a naive reader of the file.</summary>
public sealed class RowFuzzTests : IDisposable
{
    private const int Rows = 10_000;
    private const int RowsPerRound = 250;

    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Theory]
    [InlineData(48)]
    public async Task Random_columns_are_settled_key_by_key_and_the_file_stays_in_use(int seed)
    {
        var random = new Random(seed);
        await using var store = await _file.OpenAsync();
        var fuzzed = new FuzzedRows(store, random);
        for (var round = 0; round < Rows / RowsPerRound; round++)
        {
            using var raw = new RawFile(_file.Path);
            await fuzzed.RunAsync(
                RowsPerRound,
                keys =>
                {
                    raw.Execute("BEGIN; " + string.Concat(keys.Select(key => Damage(key, random))) + "COMMIT");
                    return Task.CompletedTask;
                },
                (key, read) => Assert.Equal((key, NaiveReader.Read(raw, key) ?? read.Kind), (key, read.Kind)));
        }

        await _file.RestAsync(store);
        Assert.InRange(fuzzed.Reads.Corrupt, Rows / 4, 2 * Rows);
        Assert.InRange(fuzzed.Reads.Answered, Rows / 20, 2 * Rows);
    }

    private static string Damage(string key, Random random)
    {
        var sql = new StringBuilder();
        for (var i = random.Next(3); i >= 0; i--)
        {
            var (table, column) = random.Next(11) switch
            {
                0 or 1 => ("header", "stamp"),
                2 => ("header", "generation"),
                3 => ("header", "root"),
                4 => ("header", "has_rows"),
                5 => ("header", "deleted_at"),
                6 => ("header", "value"),
                7 => ("part", "generation"),
                8 => ("part", "subkey"),
                9 => ("header", "owner"),
                _ => ("part", "value"),
            };
            var value = random.Next(12) == 0 && column is "value" or "deleted_at" or "owner" or "stamp" or "generation" && table == "header" ? "NULL" : Value(random);
            sql.Append(CultureInfo.InvariantCulture, $"UPDATE OR IGNORE {table} SET {column} = {value} WHERE key = CAST('{key}' AS BLOB);\n");
        }

        if (random.Next(10) == 0)
            sql.Append(CultureInfo.InvariantCulture, $"INSERT OR IGNORE INTO garbage VALUES ({(random.Next(2) == 0 ? Value(random) : $"CAST('{key}' AS BLOB)")});\n");
        return sql.ToString();
    }

    private static string Value(Random random)
    {
        var bytes = new byte[random.Next(5) switch { 0 => 32, 1 => 0, 2 => 1, _ => random.Next(200) }];
        random.NextBytes(bytes);
        if (bytes.Length == 32 && random.Next(2) == 0)
            bytes.AsSpan(0, 7).Clear();
        return random.Next(8) switch
        {
            0 => random.Next(-2, 4).ToString(CultureInfo.InvariantCulture),
            1 => random.NextInt64(long.MinValue, long.MaxValue).ToString(CultureInfo.InvariantCulture),
            2 => random.NextDouble().ToString(CultureInfo.InvariantCulture),
            3 => $"'{Convert.ToHexString(bytes)}'",
            _ => $"x'{Convert.ToHexString(bytes)}'",
        };
    }
}
