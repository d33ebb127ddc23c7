using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>The outcomes of writes for the server's errors, compared with the server's state.</summary>
public sealed class FailureTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private readonly TestSchema _schema = new(database);

    [Theory]
    [InlineData(PostgresErrorCodes.DeadlockDetected, StoreErrorKind.Busy)]
    [InlineData(PostgresErrorCodes.SerializationFailure, StoreErrorKind.Busy)]
    [InlineData(PostgresErrorCodes.InsufficientResources, StoreErrorKind.Overloaded)]
    [InlineData(PostgresErrorCodes.QueryCanceled, StoreErrorKind.LimitExceeded)]
    [InlineData(PostgresErrorCodes.OutOfMemory, StoreErrorKind.LimitExceeded)]
    [InlineData(PostgresErrorCodes.DiskFull, StoreErrorKind.Full)]
    [InlineData(PostgresErrorCodes.ReadOnlySqlTransaction, StoreErrorKind.Unreachable)]
    [InlineData(PostgresErrorCodes.InvalidSqlStatementName, StoreErrorKind.Unreachable)]
    [InlineData(PostgresErrorCodes.DuplicatePreparedStatement, StoreErrorKind.Unreachable)]
    [InlineData(PostgresErrorCodes.InsufficientPrivilege, StoreErrorKind.Refused)]
    [InlineData(PostgresErrorCodes.CheckViolation, StoreErrorKind.Refused)]
    [InlineData(PostgresErrorCodes.IndexCorrupted, StoreErrorKind.Corrupt)]
    public async Task Error_is_certain_in_a_statement_and_at_the_commit(string sqlState, StoreErrorKind kind)
    {
        await using var store = await _schema.OpenAsync();
        var write = store.NewWrite("key", Stamp.Absent);
        foreach (var atCommit in (bool[])[false, true])
        {
            if (atCommit)
                await _schema.ExecuteAsync("DROP FUNCTION @.planted()");
            await PlantedError.PlantAsync(database, _schema.Options.Schema, sqlState, atCommit);

            var batch = new WriteBatch();
            store.Add(batch, write, Part("", "value"));
            await store.WriteAsync(batch);

            var outcome = batch.OutcomeOf(0);
            Assert.Equal(WriteOutcome.Of(new StoreException(kind, "")).Kind, outcome.Kind);
            Assert.Equal(kind, Assert.IsType<StoreException>(outcome.Error).Kind);
            Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
            await PlantedError.RemoveAsync(database, _schema.Options.Schema);
        }

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write, Part("", "value"))).Kind);
    }

    [Fact]
    public async Task Lock_on_a_whole_table_makes_the_store_overloaded_soon()
    {
        _schema.Options.LockTimeout = TimeSpan.FromMilliseconds(10);
        await using var store = await _schema.OpenAsync();
        await using (await _schema.HoldAsync("LOCK TABLE @.header"))
        {
            var batch = new WriteBatch();
            for (var i = 0; i < 200; i++)
                store.Add(batch, store.NewWrite($"key {i}", Stamp.Absent), Part("", "x"));
            await store.WriteAsync(batch);
            Assert.All(Enumerable.Range(0, 200), i => Assert.True(batch.OutcomeOf(i).Kind is WriteOutcomeKind.Overloaded or WriteOutcomeKind.Busy));
            Assert.InRange(Enumerable.Range(0, 200).Count(i => batch.OutcomeOf(i).Kind == WriteOutcomeKind.Overloaded), 180, 200);
        }

        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "x")]);
    }

    [Theory]
    [InlineData(PostgresErrorCodes.SerializationFailure, WriteOutcomeKind.Overloaded)]
    [InlineData(PostgresErrorCodes.DiskFull, WriteOutcomeKind.Refused)]
    [InlineData(PostgresErrorCodes.InsufficientResources, WriteOutcomeKind.Overloaded)]
    [InlineData(PostgresErrorCodes.ReadOnlySqlTransaction, WriteOutcomeKind.Unreachable)]
    public async Task Error_of_every_key_ends_a_batch_after_few_requests(string sqlState, WriteOutcomeKind kind)
    {
        await using var store = await _schema.OpenAsync();
        await _schema.ExecuteAsync(
            $"""
            CREATE SEQUENCE @.attempts;
            CREATE FUNCTION @.planted() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM nextval('{_schema.Quoted.Replace("'", "''", StringComparison.Ordinal)}.attempts'); RAISE 'planted' USING ERRCODE = '{sqlState}'; END $$;
            CREATE TRIGGER planted BEFORE INSERT OR UPDATE ON @.header FOR EACH ROW EXECUTE FUNCTION @.planted()
            """);
        var batch = new WriteBatch();
        for (var i = 0; i < 256; i++)
            store.Add(batch, store.NewWrite($"key {i}", Stamp.Absent), Part("", "x"));

        await store.WriteAsync(batch);

        Assert.All(Enumerable.Range(0, 256), i => Assert.True(batch.OutcomeOf(i).Kind == kind || batch.OutcomeOf(i).Kind == WriteOutcomeKind.Busy));
        Assert.InRange(Enumerable.Range(0, 256).Count(i => batch.OutcomeOf(i).Kind == kind), 240, 256);
        Assert.InRange((long)(await _schema.ExecuteAsync("SELECT last_value FROM @.attempts"))!, 1, 30);
    }

    [Fact]
    public async Task Administrator_who_ends_a_connection_in_the_midst_of_a_batch_leaves_its_outcome_unknown()
    {
        _schema.Options.LockTimeout = TimeSpan.FromMinutes(1);
        var name = $"store {Guid.NewGuid()}";
        _schema.Options.ConnectionStrings = [database.ConnectionString + ";Application Name=" + name];
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "old")]);
        var write = store.NewWrite("key", stamp);
        await using (var other = await _schema.ConnectAsync())
        {
            await using var transaction = await other.BeginTransactionAsync(TestContext.Current.CancellationToken);
            await using var command = new NpgsqlCommand($"LOCK TABLE {_schema.Quoted}.header", other);
            await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
            var waiting = store.WriteAsync(write, Part("", "new"));
            await _schema.UntilAsync($"EXISTS (SELECT FROM pg_stat_activity WHERE application_name = '{name}' AND wait_event_type = 'Lock')");

            await _schema.ExecuteAsync($"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'");

            Assert.Equal(WriteOutcomeKind.Unknown, (await waiting).Kind);
        }

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write, Part("", "new"))).Kind);
    }

    [Fact]
    public async Task Standby_or_a_server_that_only_reads_is_unreachable_until_it_is_the_primary()
    {
        await using var store = await _schema.OpenAsync();
        await database.ExecuteAsync("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$");
        try
        {
            var outcome = await store.WriteAsync(store.NewWrite("key", Stamp.Absent), Part("", "value"));
            Assert.Equal(WriteOutcomeKind.Unreachable, outcome.Kind);
            Assert.Equal(ReadOutcomeKind.Read, (await store.ReadAsync("key")).Kind);
        }
        finally
        {
            await database.ExecuteAsync("SET transaction_read_only = off; DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$");
        }

        // The read opened a connection while the server was read-only. This write fails on that connection, and the pool drops the connection.
        await store.WriteAsync(store.NewWrite("other", Stamp.Absent), Part("", "value"));
        await store.PutAsync("key", Stamp.Absent, parts: [Part("", "value")]);
    }

    [Fact]
    public async Task Missing_schema_or_database_is_foreign_and_a_missing_permission_is_refused()
    {
        await using var store = await _schema.OpenAsync();
        await _schema.ExecuteAsync("DROP SCHEMA @ CASCADE");
        var write = await store.WriteAsync(store.NewWrite("key", Stamp.Absent));
        Assert.Equal((WriteOutcomeKind.Refused, StoreErrorKind.LayoutMismatch), (write.Kind, Assert.IsType<StoreException>(write.Error).Kind));
        Assert.Equal(ReadOutcomeKind.Refused, (await store.ReadAsync("key")).Kind);

        var nowhere = new NpgsqlConnectionStringBuilder(database.ConnectionString) { Database = "no such database" }.ConnectionString;
        var missing = await _schema.RefusalAsync(_schema.Options with { ConnectionStrings = [nowhere] });
        Assert.Equal(StoreErrorKind.LayoutMismatch, missing.Kind);
        Assert.StartsWith("The database that the connection string names does not exist.", missing.Message, StringComparison.Ordinal);

        var role = $"role_{Guid.NewGuid():N}";
        await database.ExecuteAsync($"CREATE ROLE {role} LOGIN PASSWORD 'x'");
        var nobody = new NpgsqlConnectionStringBuilder(database.ConnectionString) { Username = role, Password = "x" }.ConnectionString;
        var refused = await _schema.RefusalAsync(_schema.Options with { ConnectionStrings = [nobody] });
        Assert.Equal(StoreErrorKind.Refused, refused.Kind);
        Assert.StartsWith("The user lacks a permission: CREATE on the database", refused.Message, StringComparison.Ordinal);
        await database.ExecuteAsync($"DROP ROLE {role}");
    }

    [Fact]
    public async Task Calls_after_disposal_are_refused()
    {
        var storage = new PostgreSqlStorage(_schema.Options);
        var partition = (await storage.OpenAsync(TestContext.Current.CancellationToken))[0];
        await storage.DisposeAsync();
        await storage.DisposeAsync();
        var batch = new WriteBatch();
        batch.Add(new KeyWrite(new PartitionKey("key"), KeyWriteKind.Merge, Stamp.Absent, null, new Stamp(0, Guid.NewGuid(), 1)), []);

        await partition.WriteAsync(batch, TestContext.Current.CancellationToken);

        Assert.Equal((WriteOutcomeKind.Refused, "The store has been closed."), (batch.OutcomeOf(0).Kind, batch.OutcomeOf(0).Error!.Message));
        await Assert.ThrowsAsync<StoreException>(async () => await storage.OpenAsync(TestContext.Current.CancellationToken));
    }
}
