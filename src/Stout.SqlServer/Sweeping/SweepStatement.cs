namespace Stout.SqlServer.Sweeping;

/// <summary>Removes a few rows that no reader can reach any more, in one transaction and one round trip.</summary>
/// <remarks>
/// The headers of the keys are locked first, by an update that changes nothing: so no generation can die, and its key be noted, between
/// the look for dead rows and the moment when the key is crossed off. Deleted headers go last, and only if they still have the stamp with
/// which they were found old enough: every write and every claim changes it.
/// </remarks>
internal sealed class SweepStatement(string schema)
{
    public const string Rows = "@rows";
    public const string Before = "@before";

    /// <summary>Returns how many rows were found to remove: parts and headers together.</summary>
    public string Text { get; } = Layout.In(schema, """
        SET NOCOUNT, XACT_ABORT ON;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        DECLARE @noted TABLE ([key] varbinary(257) NOT NULL PRIMARY KEY);
        DECLARE @row TABLE (
            [key] varbinary(257) NOT NULL, generation varbinary(32) NOT NULL, subkey varbinary(129) NOT NULL,
            PRIMARY KEY ([key], generation, subkey));
        DECLARE @old TABLE ([key] varbinary(257) NOT NULL PRIMARY KEY, stamp varbinary(32) NOT NULL);
        BEGIN TRANSACTION;
        INSERT INTO @noted ([key]) SELECT TOP (@rows) [key] FROM [stout].[garbage] ORDER BY [key];
        UPDATE h SET epoch = h.epoch FROM [stout].[header] h JOIN @noted n ON n.[key] = h.[key];
        INSERT INTO @row ([key], generation, subkey)
        SELECT TOP (@rows) p.[key], p.generation, p.subkey
        FROM @noted n
            JOIN [stout].[header] h ON h.[key] = n.[key]
            JOIN [stout].[part] p ON p.[key] = h.[key]
        WHERE p.generation <> h.generation OR h.deleted_at IS NOT NULL
        ORDER BY p.[key], p.generation, p.subkey;
        DELETE p FROM [stout].[part] p JOIN @row r ON r.[key] = p.[key] AND r.generation = p.generation AND r.subkey = p.subkey;
        DELETE g FROM [stout].[garbage] g JOIN @noted n ON n.[key] = g.[key]
        WHERE NOT EXISTS (
            SELECT 1 FROM [stout].[header] h JOIN [stout].[part] p ON p.[key] = h.[key]
            WHERE h.[key] = g.[key] AND (p.generation <> h.generation OR h.deleted_at IS NOT NULL));
        INSERT INTO @old ([key], stamp)
        SELECT TOP (@rows) h.[key], h.stamp
        FROM [stout].[header] h
        WHERE h.deleted_at <= @before
            AND NOT EXISTS (SELECT 1 FROM [stout].[part] p WHERE p.[key] = h.[key])
            AND NOT EXISTS (SELECT 1 FROM [stout].[garbage] g WHERE g.[key] = h.[key])
        ORDER BY h.deleted_at;
        DELETE h FROM [stout].[header] h JOIN @old o ON o.[key] = h.[key] AND o.stamp = h.stamp;
        SELECT (SELECT COUNT(*) FROM @noted) + (SELECT COUNT(*) FROM @old);
        COMMIT TRANSACTION;
        """);
}
