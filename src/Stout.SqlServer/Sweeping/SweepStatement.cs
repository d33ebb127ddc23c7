namespace Stout.SqlServer.Sweeping;

/// <summary>Removes a few rows that no reader can reach any more, in one transaction and one round trip.</summary>
/// <remarks>
/// A dead generation gets no new rows: only a write that has its header locked adds any, to the header's own. Deleted headers go
/// last, and only if they still have the stamp with which they were found old enough: every write and every claim changes it.
/// </remarks>
internal sealed class SweepStatement(string schema)
{
    public const string Rows = "@rows";
    public const string Before = "@before";

    /// <summary>Returns how many rows were found to remove: parts and headers together.</summary>
    public string Text { get; } = Layout.In(schema, """
        SET NOCOUNT, XACT_ABORT ON;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        DECLARE @dead TABLE ([key] varbinary(257) NOT NULL, generation varbinary(32) NOT NULL, PRIMARY KEY ([key], generation));
        DECLARE @row TABLE (
            [key] varbinary(257) NOT NULL, generation varbinary(32) NOT NULL, subkey varbinary(129) NOT NULL,
            PRIMARY KEY ([key], generation, subkey));
        DECLARE @old TABLE ([key] varbinary(257) NOT NULL PRIMARY KEY, stamp varbinary(32) NOT NULL);
        BEGIN TRANSACTION;
        INSERT INTO @dead ([key], generation) SELECT TOP (@rows) [key], generation FROM [stout].[garbage] ORDER BY [key], generation;
        INSERT INTO @row ([key], generation, subkey)
        SELECT TOP (@rows) p.[key], p.generation, p.subkey
        FROM [stout].[part] p JOIN @dead d ON d.[key] = p.[key] AND d.generation = p.generation
        ORDER BY p.[key], p.generation, p.subkey;
        DELETE p FROM [stout].[part] p JOIN @row r ON r.[key] = p.[key] AND r.generation = p.generation AND r.subkey = p.subkey;
        DELETE g FROM [stout].[garbage] g JOIN @dead d ON d.[key] = g.[key] AND d.generation = g.generation
        WHERE NOT EXISTS (SELECT 1 FROM [stout].[part] p WHERE p.[key] = g.[key] AND p.generation = g.generation);
        INSERT INTO @old ([key], stamp)
        SELECT TOP (@rows) h.[key], h.stamp
        FROM [stout].[header] h
        WHERE h.deleted_at <= @before
            AND NOT EXISTS (SELECT 1 FROM [stout].[part] p WHERE p.[key] = h.[key])
            AND NOT EXISTS (SELECT 1 FROM [stout].[garbage] g WHERE g.[key] = h.[key])
        ORDER BY h.deleted_at;
        DELETE h FROM [stout].[header] h JOIN @old o ON o.[key] = h.[key] AND o.stamp = h.stamp;
        SELECT (SELECT COUNT(*) FROM @dead) + (SELECT COUNT(*) FROM @old);
        COMMIT TRANSACTION;
        """);
}
