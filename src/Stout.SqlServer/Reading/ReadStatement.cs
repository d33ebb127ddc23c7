using Stout.SqlServer.Client;

namespace Stout.SqlServer.Reading;

/// <summary>The statements that read a batch: with a claim, where one is due, in one transaction.</summary>
/// <remarks>
/// <para>Header and parts come from one statement. Where the server reads a snapshot they are as of one stamp; where it takes locks and
/// releases them row by row they need not be, so the stamps are read again afterwards: a stamp never comes back, so one that has
/// stayed was there all the time.</para>
/// <para>Keys that have changed meanwhile are read once more with their headers locked. They are locked by an update, which every server honors,
/// that changes nothing where no claim is due.</para>
/// </remarks>
internal sealed class ReadStatement(string schema, TimeSpan lockTimeout)
{
    public const string Keys = "@read";
    public const string Now = "@now";

    private const string Lock = """
        BEGIN TRANSACTION;
        UPDATE h SET
            epoch = r.epoch,
            stamp = CASE WHEN h.epoch < r.epoch THEN r.stamp ELSE h.stamp END,
            deleted_at = CASE WHEN h.epoch < r.epoch AND h.deleted_at IS NOT NULL THEN @now ELSE h.deleted_at END
        FROM [stout].[header] h JOIN @read r ON r.[key] = h.[key]
        WHERE h.epoch <= r.epoch;

        """;

    // The columns of both branches: place, whether it is a header, the header's, sub-key, length, value.
    private const string Select = $"""
        SELECT r.n, 1, {StoredHeader.Columns},
            CAST(NULL AS varbinary(129)), CAST(DATALENGTH(h.value) AS bigint), CAST(h.value AS varbinary(max))
        FROM @read r JOIN [stout].[header] h ON h.[key] = r.[key]
        UNION ALL
        SELECT r.n, 0, {StoredHeader.NoColumns}, p.subkey, CAST(DATALENGTH(p.value) AS bigint), p.value
        FROM @read r
            JOIN [stout].[header] h ON h.[key] = r.[key]
            JOIN [stout].[part] p ON p.[key] = h.[key] AND p.generation = h.generation
        WHERE h.deleted_at IS NULL AND h.has_rows = 1;
        SELECT r.n, h.stamp FROM @read r JOIN [stout].[header] h ON h.[key] = r.[key];

        """;

    private const string Commit = "COMMIT TRANSACTION;";

    private readonly string[] _texts =
    [
        .. from locks in (LockWait[])[LockWait.Short, LockWait.None]
           let start = StatementStart.With(locks, lockTimeout)
           from sql in (string[])[start + Select, start + Lock + Select + Commit]
           select Layout.In(schema, sql),
    ];

    /// <summary>The text for a batch.</summary>
    /// <param name="isLocked">Whether it locks the headers, and gives them the claims' stamps where those are of a larger epoch.</param>
    /// <param name="locks">How long it waits for a lock.</param>
    public string For(bool isLocked, LockWait locks) => _texts[(locks == LockWait.None ? 2 : 0) + (isLocked ? 1 : 0)];
}
