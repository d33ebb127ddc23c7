using System.Text.RegularExpressions;
using Stout.SqlServer.Client;
using Stout.SqlServer.Reading;
using Stout.SqlServer.Setup;
using Stout.SqlServer.Sweeping;
using Stout.SqlServer.Writing;

namespace Stout.SqlServer.Tests;

/// <summary>Rules for all statements, so that SQL Server and other servers with T-SQL execute them alike.</summary>
public sealed partial class StatementTests
{
    private const string Schema = "mine";

    private static readonly TimeSpan LockTimeout = TimeSpan.FromMilliseconds(250);

    private static readonly LockWait[] Waits = [LockWait.Short, LockWait.None];

    private static readonly string[] Writes = WritesWith(LockWait.Short);

    private static readonly string[] Transactions =
    [
        .. from locks in Waits
           from sql in (string[])
           [
               .. WritesWith(locks), .. WritesWith(locks, insertsLongKeys: true), .. ClaimsWith(locks, hasLongKeys: false), .. ClaimsWith(locks, hasLongKeys: true),
               new RemoveStatement(Schema, LockTimeout).For(headers: false, locks), new RemoveStatement(Schema, LockTimeout).For(headers: true, locks),
           ]
           select sql,
    ];

    private static readonly string[] Commands =
    [
        .. Transactions,
        .. from locks in Waits from parts in (bool[])[false, true] from hasLongKeys in (bool[])[false, true]
           select new ReadStatement(Schema, LockTimeout).For(isLocked: false, claims: false, parts, hasLongKeys, locks),
        new WriteStatement(Schema, LockTimeout).Look, new FindStatement(Schema, LockTimeout).Text,
    ];

    public static TheoryData<string> Forbidden { get; } =
    [
        "MERGE", "WAITFOR", "OUTPUT", "UPDLOCK", "HOLDLOCK", "NOLOCK", "CREATE OR ALTER", "ALTER DATABASE", "OPENJSON", "STRING_AGG",
        "THROW", "TRY", "GOTO", "#", "CURSOR",
    ];

    [Theory]
    [MemberData(nameof(Forbidden))]
    public void What_not_every_server_does_the_same_way_is_not_used(string word) =>
        Assert.All([.. Commands, .. SchemaScript.BatchesFor(Schema)], sql => Assert.DoesNotMatch($@"(?i)(^|\W){word}(\W|$)", WithoutComments(sql)));

    [Fact]
    public void Table_types_and_tables_have_no_inline_index() =>
        Assert.All(SchemaScript.BatchesFor(Schema), sql => Assert.DoesNotMatch(@"(?i)\bTABLE\b[^;]*\(\s[^;]*\bINDEX\b", WithoutComments(sql)));

    [Fact]
    public void Every_change_is_one_transaction_that_an_error_undoes() => Assert.All(Transactions, sql =>
    {
        Assert.StartsWith("SET NOCOUNT, XACT_ABORT ON;", sql, StringComparison.Ordinal);
        Assert.EndsWith("COMMIT TRANSACTION;", sql, StringComparison.Ordinal);
        Assert.Single(Word("BEGIN TRANSACTION").Matches(sql));
        Assert.Single(Word("COMMIT").Matches(sql));
    });

    [Fact]
    public void Every_command_says_its_isolation_level_since_pools_keep_another_ones() => Assert.All(
        Commands, sql => Assert.Contains("SET TRANSACTION ISOLATION LEVEL READ COMMITTED;", sql, StringComparison.Ordinal));

    [Fact]
    public void No_command_waits_for_another_transactions_lock_until_the_clients_time_limit() => Assert.All(
        Commands, sql => Assert.Matches("SET LOCK_TIMEOUT (0|250);", sql));

    [Fact]
    public void Statement_for_a_part_of_a_batch_waits_for_no_lock()
    {
        Assert.All(WritesWith(LockWait.None), sql => Assert.Contains("SET LOCK_TIMEOUT 0;", sql, StringComparison.Ordinal));
        Assert.Equal(Writes, WritesWith(LockWait.None).Select(sql => sql.Replace("SET LOCK_TIMEOUT 0;", "SET LOCK_TIMEOUT 250;", StringComparison.Ordinal)));
    }

    [Fact]
    public void Schema_of_the_options_is_the_only_one() => Assert.All(
        [.. Commands, .. SchemaScript.BatchesFor(Schema)], sql => Assert.DoesNotContain("stout", WithoutComments(sql), StringComparison.Ordinal));

    [Fact]
    public void Batch_pays_for_what_it_has_and_no_more()
    {
        Assert.Equal(8, Writes.Distinct().Count());
        Assert.DoesNotContain("@part", Writes[0], StringComparison.Ordinal);
        Assert.DoesNotContain("INSERT INTO [mine].[header]", Writes[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Script_makes_nothing_without_looking_whether_it_is_there() => Assert.All(
        SchemaScript.BatchesFor(Schema).Select(WithoutComments).Where(sql => sql.Contains("CREATE", StringComparison.Ordinal)),
        sql => Assert.StartsWith("IF ", sql, StringComparison.Ordinal));

    /// <summary>A request without a long key has no parameter for long keys, and reads no column of them.</summary>
    [Fact]
    public void Request_pays_for_long_keys_where_it_has_some()
    {
        Assert.All([.. Writes, .. ClaimsWith(LockWait.Short, hasLongKeys: false)], sql =>
        {
            Assert.DoesNotContain("@long", sql, StringComparison.Ordinal);
            Assert.DoesNotContain("long_key", sql, StringComparison.Ordinal);
        });
        Assert.All(ClaimsWith(LockWait.Short, hasLongKeys: true), sql => Assert.Contains("@long", sql, StringComparison.Ordinal));
        Assert.Contains("@long", WritesWith(LockWait.Short, insertsLongKeys: true)[1], StringComparison.Ordinal);
    }

    private static string[] WritesWith(LockWait locks, bool insertsLongKeys = false) =>
        [.. from i in Enumerable.Range(0, 8) select new WriteStatement(Schema, LockTimeout).For((i & 1) != 0, (i & 2) != 0, (i & 4) != 0, insertsLongKeys, locks)];

    private static string[] ClaimsWith(LockWait locks, bool hasLongKeys) =>
    [
        new ReadStatement(Schema, LockTimeout).For(isLocked: true, claims: false, parts: true, hasLongKeys, locks),
        new ReadStatement(Schema, LockTimeout).For(isLocked: false, claims: true, parts: true, hasLongKeys, locks),
    ];

    private static string WithoutComments(string sql) => Comment().Replace(sql, "").Trim();

    private static Regex Word(string word) => new($@"\b{word}\b");

    [GeneratedRegex("--.*")]
    private static partial Regex Comment();
}
