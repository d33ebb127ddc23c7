using Stout.SqlServer.Client;

namespace Stout.SqlServer.Sweeping;

/// <summary>Removes rows that no reader can reach, each statement in one transaction.</summary>
/// <remarks>
/// First an update that changes nothing locks the keys' headers. So no generation can end, and no row of <c>garbage</c> can be added, between finding dead
/// rows and deleting the key's row of <c>garbage</c>. Headers without an object are removed last, and only with the stamp and the owner with which they were
/// found. A write changes the stamp and a claim changes the owner, so no header in use is removed. The same transaction then raises the epoch floor to at
/// least the removed headers' epochs. Claims lock headers before they read the floor, too, so a claim that finds a header removed reads the raised floor.
/// </remarks>
internal sealed class RemoveStatement(string schema, TimeSpan lockTimeout)
{
    public const string Rows = "@rows";
    public const string Keys = "@dead";

    private const string Parts = """
        DECLARE @row TABLE (
            [key] varbinary(257) NOT NULL, generation varbinary(32) NOT NULL, subkey varbinary(129) NOT NULL,
            PRIMARY KEY ([key], generation, subkey));
        BEGIN TRANSACTION;
        UPDATE h SET epoch = h.epoch FROM [stout].[header] h JOIN @dead d ON d.[key] = h.[key];
        INSERT INTO @row ([key], generation, subkey)
        SELECT TOP (@rows) p.[key], p.generation, p.subkey
        FROM @dead d
            JOIN [stout].[header] h ON h.[key] = d.[key]
            JOIN [stout].[part] p ON p.[key] = h.[key]
        WHERE h.deleted_at IS NOT NULL OR (p.generation <> h.generation AND DATALENGTH(h.generation) = 32)
        ORDER BY p.[key], p.generation, p.subkey;
        DELETE p FROM [stout].[part] p JOIN @row r ON r.[key] = p.[key] AND r.generation = p.generation AND r.subkey = p.subkey;
        DELETE g FROM [stout].[garbage] g JOIN @dead d ON d.[key] = g.[key]
        WHERE NOT EXISTS (
            SELECT 1 FROM [stout].[header] h JOIN [stout].[part] p ON p.[key] = h.[key]
            WHERE h.[key] = g.[key] AND (h.deleted_at IS NOT NULL OR (p.generation <> h.generation AND DATALENGTH(h.generation) = 32)));
        SELECT COUNT(*) FROM @row;
        COMMIT TRANSACTION;
        """;

    private const string Headers = """
        DECLARE @gone int, @epoch bigint;
        BEGIN TRANSACTION;
        DELETE h FROM [stout].[header] h JOIN @dead d
            ON d.[key] = h.[key] AND d.from_stamp = h.stamp AND d.from_epoch = h.epoch AND d.from_claim = h.claim
        WHERE h.deleted_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM [stout].[part] p WHERE p.[key] = h.[key])
            AND NOT EXISTS (SELECT 1 FROM [stout].[garbage] g WHERE g.[key] = h.[key]);
        SELECT @gone = @@ROWCOUNT;
        SELECT @epoch = MAX(d.from_epoch) FROM @dead d;
        UPDATE [stout].[epoch_floor] SET epoch = @epoch WHERE epoch < @epoch;
        SELECT @gone;
        COMMIT TRANSACTION;
        """;

    private readonly string[] _texts =
    [
        .. from locks in (LockWait[])[LockWait.Short, LockWait.None]
           from sql in (string[])[Parts, Headers]
           select Layout.In(schema, StatementStart.With(locks, lockTimeout) + sql),
    ];

    /// <summary>Returns a text whose result is the number of removed rows.</summary>
    /// <param name="headers">Whether the text removes headers without an object rather than dead part rows.</param>
    /// <param name="locks">The longest wait for a lock.</param>
    public string For(bool headers, LockWait locks) => _texts[(locks == LockWait.None ? 2 : 0) + (headers ? 1 : 0)];
}
