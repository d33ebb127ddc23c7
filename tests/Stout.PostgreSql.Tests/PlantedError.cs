using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Tests;

/// <summary>Makes the server itself fail writes, with errors that otherwise need a broken machine.</summary>
internal static class PlantedError
{
    /// <param name="database">The database.</param>
    /// <param name="schema">The schema, with its tables.</param>
    /// <param name="sqlState">The SQLSTATE of the error.</param>
    /// <param name="atCommit">Whether the error comes at the commit, after every statement has succeeded.</param>
    public static Task PlantAsync(TestDatabases database, string schema, string sqlState, bool atCommit = false)
    {
        var quoted = SessionSettings.Quote(schema);
        var trigger = atCommit ? "CREATE CONSTRAINT TRIGGER planted AFTER INSERT OR UPDATE" : "CREATE TRIGGER planted BEFORE INSERT OR UPDATE";
        return database.ExecuteAsync(
            $"""
            CREATE FUNCTION {quoted}.planted() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '{sqlState}'; END $$;
            {trigger} ON {quoted}.header {(atCommit ? "DEFERRABLE INITIALLY DEFERRED" : "")} FOR EACH ROW EXECUTE FUNCTION {quoted}.planted()
            """);
    }

    public static Task RemoveAsync(TestDatabases database, string schema) =>
        database.ExecuteAsync($"DROP TRIGGER planted ON {SessionSettings.Quote(schema)}.header");
}
