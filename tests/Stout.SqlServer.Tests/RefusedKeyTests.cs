using System.Text;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.SqlServer.Tests;

/// <summary>A key that the database refuses, or whose rows are damaged, fails without affecting the other keys of its batch.</summary>
public sealed class RefusedKeyTests : IAsyncDisposable
{
    private const string Forbidden = "forbidden";

    private static readonly string ForbiddenBytes = "0x" + Convert.ToHexString(Encoding.UTF8.GetBytes(Forbidden));

    private readonly ServerSchema _schema = new();

    public ValueTask DisposeAsync() => _schema.DisposeAsync();

    public static TheoryData<string> Rules { get; } =
    [
        $"ALTER TABLE [stout].[header] ADD CONSTRAINT no_such_value CHECK (value <> {ForbiddenBytes})",
        TriggerThat("THROW 50001, 'No.', 1;"),
        TriggerThat("BEGIN RAISERROR('No.', 16, 1); ROLLBACK TRANSACTION; END"),
    ];

    [Theory]
    [MemberData(nameof(Rules))]
    public async Task Key_that_a_rule_of_the_database_refuses_fails_alone(string rule)
    {
        await using var store = await _schema.OpenAsync();
        await _schema.RowsAsync(rule);
        var keys = store.KeysTogether(100);
        var batch = new WriteBatch();
        foreach (var key in keys)
            store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", key == keys[42] ? Forbidden : "allowed"));

        await store.WriteAsync(batch);

        var refused = Enumerable.Range(0, 100).Where(i => batch.OutcomeOf(i).Kind != WriteOutcomeKind.Committed).ToList();
        Assert.Equal([42], refused);
        Assert.Equal(WriteOutcomeKind.Refused, batch.OutcomeOf(42).Kind);
        Assert.Equal(StoreErrorKind.Refused, Assert.IsType<StoreException>(batch.OutcomeOf(42).Error).Kind);
        Assert.Equal(99, await _schema.AskAsync<int>("SELECT COUNT(*) FROM [stout].[header]"));
    }

    /// <summary>XACT_ABORT ignores RAISERROR, so the transaction commits although the server reports an error.</summary>
    [Fact]
    public async Task Error_that_does_not_end_the_transaction_is_no_failure()
    {
        await using var store = await _schema.OpenAsync();
        await _schema.RowsAsync(TriggerThat("RAISERROR('Beware.', 16, 1);"));
        var batch = new WriteBatch();
        store.Add(batch, store.NewWrite("a", Stamp.Absent), Part("", Forbidden));
        store.Add(batch, store.NewWrite("b", Stamp.Absent), Part("", "allowed"));

        await store.WriteAsync(batch);

        for (var i = 0; i < 2; i++)
        {
            var isThere = (await store.ReadAsync(batch[i].Key.Text)).Exists;
            Assert.Equal(isThere ? WriteOutcomeKind.Committed : WriteOutcomeKind.Refused, batch.OutcomeOf(i).Kind);
        }

        Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(1).Kind);
    }

    /// <summary>
    /// The server's error for a duplicate usually means that another request has just created the key. With another unique index in the database, it can also
    /// mean a duplicate value.
    /// </summary>
    [Fact]
    public async Task Key_that_a_unique_index_of_the_database_refuses_fails_alone()
    {
        await using var store = await _schema.OpenAsync();
        await _schema.RowsAsync("CREATE UNIQUE INDEX ix_by_hand ON [stout].[header] (value)");
        await store.PutAsync("first", Stamp.Absent, parts: [Part("", "taken")]);
        var batch = new WriteBatch();
        store.Add(batch, store.NewWrite("second", Stamp.Absent), Part("", "taken"));
        store.Add(batch, store.NewWrite("third", Stamp.Absent), Part("", "free"));

        await store.WriteAsync(batch);

        Assert.Equal((WriteOutcomeKind.Refused, WriteOutcomeKind.Committed), (batch.OutcomeOf(0).Kind, batch.OutcomeOf(1).Kind));
    }

    [Theory]
    [InlineData("UPDATE [stout].[header] SET stamp = 0x07 WHERE [key] = @key")]
    [InlineData("UPDATE [stout].[header] SET root = 7 WHERE [key] = @key")]
    [InlineData("UPDATE [stout].[header] SET value = NULL WHERE [key] = @key")]
    [InlineData("UPDATE [stout].[part] SET subkey = 0x61 WHERE [key] = @key")]
    public async Task Key_whose_rows_are_damaged_fails_alone(string damage)
    {
        ArgumentNullException.ThrowIfNull(damage);
        await using var store = await _schema.OpenAsync();
        foreach (var key in (string[])["a", "b", "c"])
            await store.PutAsync(key, Stamp.Absent, parts: [Part("", key), Part("a", "1")]);
        await _schema.RowsAsync(damage.Replace("@key", "0x6201", StringComparison.Ordinal));

        var reads = await store.ReadAsync(["a", "b", "c"]);

        Assert.Equal(("=a a=1", "=c a=1"), (Show(reads[0]), Show(reads[2])));
        Assert.Equal(ReadOutcomeKind.Refused, reads[1].Kind);
        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(reads[1].Error).Kind);
    }

    [Fact]
    public async Task Write_of_a_key_whose_stamp_is_damaged_fails_alone()
    {
        await using var store = await _schema.OpenAsync();
        var stamps = new List<Stamp>();
        foreach (var key in (string[])["a", "b"])
            stamps.Add(await store.PutAsync(key, Stamp.Absent, parts: [Part("", key)]));
        await _schema.RowsAsync("UPDATE [stout].[header] SET stamp = 0x07 WHERE [key] = 0x6201");
        var batch = new WriteBatch();
        store.Add(batch, store.NewWrite("a", stamps[0]), Part("", "new"));
        store.Add(batch, store.NewWrite("b", stamps[1]), Part("", "new"));

        await store.WriteAsync(batch);

        Assert.Equal((WriteOutcomeKind.Committed, WriteOutcomeKind.Refused), (batch.OutcomeOf(0).Kind, batch.OutcomeOf(1).Kind));
        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(batch.OutcomeOf(1).Error).Kind);
    }

    private static string TriggerThat(string refuses) =>
        $"CREATE TRIGGER [stout].[by_hand] ON [stout].[header] AFTER INSERT, UPDATE AS IF EXISTS (SELECT 1 FROM inserted WHERE value = {ForbiddenBytes}) {refuses}";
}
