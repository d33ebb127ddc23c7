using Stout.SqlServer.Client;

namespace Stout.SqlServer.Reading;

/// <summary>The statements that read a batch; with a claim they form one transaction.</summary>
/// <remarks>
/// <para>One statement returns header and parts. On a server with snapshots they are of one stamp. On a server with row locks they may not be, so the
/// stamps are read again afterwards. A stamp never returns, so an unchanged one was valid all the time.</para>
/// <para>Keys that changed meanwhile are read again with locked headers. The lock comes from an update, which every server honors; without a due
/// claim it changes nothing.</para>
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

    // The columns of both branches: position, whether it is a header, the header's columns, sub-key, length, value.
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
    /// <param name="isLocked">Whether it locks the headers, and writes claims of a larger epoch.</param>
    /// <param name="locks">The longest wait for a lock.</param>
    public string For(bool isLocked, LockWait locks) => _texts[(locks == LockWait.None ? 2 : 0) + (isLocked ? 1 : 0)];
}
