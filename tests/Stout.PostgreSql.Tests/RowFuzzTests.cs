using System.Globalization;
using System.Text;
using Npgsql;
using Stout.Storage;
using Stout.Tests;

namespace Stout.PostgreSql.Tests;

/// <summary>Rows with random columns. The outcomes of reads are compared with those of a naive reader of the tables.</summary>
public sealed class RowFuzzTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private const int Rows = 10_000;
    private const int RowsPerRound = 250;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly TestSchema _schema = new(database);

    [Theory]
    [InlineData(48)]
    public async Task Random_columns_are_settled_key_by_key(int seed)
    {
        var random = new Random(seed);
        await using var store = await _schema.OpenAsync();
        await _schema.ExecuteAsync("ALTER TABLE @.header ALTER stamp DROP NOT NULL; ALTER TABLE @.part ALTER value DROP NOT NULL");
        await using var raw = await _schema.ConnectAsync();
        var fuzzed = new FuzzedRows(store, random);
        for (var round = 0; round < Rows / RowsPerRound; round++)
        {
            var expected = new Dictionary<string, ReadOutcomeKind>();
            await fuzzed.RunAsync(
                RowsPerRound,
                async keys =>
                {
                    await ExecuteAsync(raw, $"DO $do$ BEGIN {string.Concat(keys.Select(key => Damage(key, random)))} END $do$");
                    expected = await ExpectAsync(raw);
                },
                (key, read) => Assert.Equal((key, expected[key]), (key, read.Kind)));
        }

        Assert.InRange(fuzzed.Reads.Corrupt, Rows / 4, 2 * Rows);
        Assert.InRange(fuzzed.Reads.Answered, Rows / 20, 2 * Rows);
    }

    private static string Damage(string key, Random random)
    {
        var sql = new StringBuilder();
        for (var i = random.Next(3); i >= 0; i--)
        {
            var (table, column) = random.Next(10) switch
            {
                0 or 1 => ("header", "stamp"),
                2 => ("header", "generation"),
                3 => ("header", "deleted_at"),
                4 => ("header", "value"),
                5 => ("part", "generation"),
                6 => ("part", "subkey"),
                7 => ("header", "epoch"),
                8 => ("header", "claim"),
                _ => ("part", "value"),
            };
            var canBeNull = table == "header" || column == "value";
            var value = canBeNull && random.Next(8) == 0 ? "NULL"
                : column == "epoch" ? $"{random.Next(-1, 3)}"
                : column == "claim" ? $"'{Guid.NewGuid()}'"
                : column == "deleted_at" ? random.Next(3) switch { 0 => "'infinity'", 1 => "'-infinity'", _ => "now()" }
                : Bytes(random);
            var row = table == "part" ? $" AND subkey = (SELECT subkey FROM @.part WHERE key = '{key}' ORDER BY subkey LIMIT 1)" : "";
            sql.Append(CultureInfo.InvariantCulture, $"UPDATE @.{table} SET {column} = {value} WHERE key = '{key}'{row};\n");
        }

        if (random.Next(10) == 0)
            sql.Append(CultureInfo.InvariantCulture, $"INSERT INTO @.garbage VALUES ('{key}', {Bytes(random)});\n");
        return sql.ToString();
    }

    private static string Bytes(Random random)
    {
        var bytes = new byte[random.Next(5) switch { 0 => 32, 1 => 0, 2 => 1, _ => random.Next(200) }];
        random.NextBytes(bytes);
        if (bytes.Length == 32 && random.Next(2) == 0)
            bytes.AsSpan(0, 7).Clear();
        return $"'\\x{Convert.ToHexString(bytes)}'";
    }

    private async Task ExecuteAsync(NpgsqlConnection raw, string sql)
    {
        await using var command = new NpgsqlCommand(sql.Replace("@", _schema.Quoted, StringComparison.Ordinal), raw);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>The right outcome of a read of each fuzzed key, from the rows as they are.</summary>
    private async Task<Dictionary<string, ReadOutcomeKind>> ExpectAsync(NpgsqlConnection raw)
    {
        var expected = new Dictionary<string, ReadOutcomeKind>();
        var sql = """
            SELECT h.key, h.stamp, h.generation, h.deleted_at IS NOT NULL, h.value, p.key IS NOT NULL, p.subkey, p.value, h.epoch, h.claim IS NOT NULL
            FROM @.header h LEFT JOIN @.part p ON p.key = h.key AND p.generation = h.generation
            """;
        await using var command = new NpgsqlCommand(sql.Replace("@", _schema.Quoted, StringComparison.Ordinal), raw);
        await using var row = await command.ExecuteReaderAsync(TestContext.Current.CancellationToken);
        while (await row.ReadAsync(TestContext.Current.CancellationToken))
        {
            var key = Encoding.UTF8.GetString(row.GetFieldValue<byte[]>(0));
            var (stamp, generation, isDeleted, value) = (Get(row, 1), Get(row, 2), row.GetBoolean(3), Get(row, 4));
            long? epoch = row.IsDBNull(8) ? null : row.GetInt64(8);
            var isOwner = epoch > 0 || (epoch is null && !row.GetBoolean(9));
            var isClaimedOnly = stamp is [] && epoch is not null && isDeleted;
            var isSound = isOwner && (IsStamp(stamp) || isClaimedOnly) && (generation is null || (generation.Length == 32 && generation[0] < 0x80)) && !(isDeleted && (generation is not null || value is not null));
            var isPartSound = isDeleted || !row.GetBoolean(5) || (IsSubKey(Get(row, 6)) && Get(row, 7) is not null);
            var kind = !isSound || !isPartSound ? ReadOutcomeKind.Refused : ReadOutcomeKind.Read;
            expected[key] = expected.GetValueOrDefault(key) == ReadOutcomeKind.Refused ? ReadOutcomeKind.Refused : kind;
        }

        return expected;
    }

    private static byte[]? Get(NpgsqlDataReader row, int column) => row.IsDBNull(column) ? null : row.GetFieldValue<byte[]>(column);

    private static bool IsStamp(byte[]? value) => value is { Length: 32 } && value[0] < 0x80 && value.Any(one => one != 0);

    private static bool IsSubKey(byte[]? value)
    {
        try
        {
            return value is { Length: > 0 and <= SubKey.MaxBytes } && Utf8.GetCharCount(value) > 0;
        }
        catch (DecoderFallbackException)
        {
            return false;
        }
    }
}
