using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Tests;

/// <summary>Has the server itself fail writes, with an error that can't be made otherwise without breaking its machine.</summary>
internal static class PlantedError
{
    /// <param name="database">The database.</param>
    /// <param name="schema">The schema, with its tables.</param>
    /// <param name="sqlState">The error.</param>
    /// <param name="atCommit">Whether it comes with the commit, after every statement has succeeded.</param>
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
