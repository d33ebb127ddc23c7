using Stout.SqlServer.Client;

namespace Stout.SqlServer.Reading;

/// <summary>The statements that read a batch; with claims they form one transaction.</summary>
/// <remarks>
/// <para>One statement returns header and parts. On a server with snapshots they are of one stamp. On a server with row locks they may not be, so the
/// headers are read again afterwards. A stamp never returns, so an unchanged one was valid all the time.</para>
/// <para>Claimed keys, and keys that changed during an earlier read, are read with locked headers. The lock comes from an update, which locks rows on every
/// server. Where no claim is taken, the update changes nothing. Then headers are inserted for the claimed keys that have no header. Both statements follow
/// the order of the keys.</para>
/// <para>A third result says for each long key whether the header keeps the same long key. If not, the claim is not taken.</para>
/// <para>The epoch floor is an epoch that no removed header exceeds. A new header's epoch is compared with the floor only after the insertion, which may have
/// waited for the sweeper that raised the floor.</para>
/// </remarks>
internal sealed class ReadStatement(string schema, TimeSpan lockTimeout)
{
    public const string Keys = "@read";
    public const string Now = "@now";
    public const string Request = "@request";

    private const string Zeros = "0x0000000000000000000000000000000000000000000000000000000000000000";

    private const string NoClaim = "0x00000000000000000000000000000000";

    // A damaged header takes no claim. Damage is a claim or an empty stamp without an epoch, or an epoch that can't grow. The header stays unchanged, so
    // that the read reports the damage.
    private const string IsTaken = $"""
        r.claim IS NOT NULL AND h.claim <> r.claim AND (h.epoch BETWEEN 1 AND 9223372036854775806 OR (h.epoch = 0 AND h.claim = {NoClaim} AND h.stamp <> {Zeros}))
                AND (r.from_stamp IS NULL OR (h.stamp = r.from_stamp AND h.epoch = r.from_epoch AND h.claim = r.from_claim))
        """;

    // SQL Server's comparison of bytes ignores zeros at the end, so the lengths are compared too.
    private const string IsSameKey = "h.long_key = l.long_key AND DATALENGTH(h.long_key) = DATALENGTH(l.long_key)";

    private const string AndIsSameKey = $" AND (l.n IS NULL OR ({IsSameKey}))";

    private const string JoinLongKeys = $" LEFT JOIN {LongKeyRows.Parameter} l ON l.n = r.n";

    private const string CompareLongKeys = $"""

        SELECT l.n, CASE WHEN {IsSameKey} THEN 1 ELSE 0 END
        FROM {LongKeyRows.Parameter} l JOIN @read r ON r.n = l.n JOIN [stout].[header] h ON h.[key] = r.[key];

        """;

    private static string Lock(string isTaken, string join) => $"""
        BEGIN TRANSACTION;
        UPDATE h SET
            epoch = CASE WHEN {isTaken} THEN
                CASE WHEN r.least > h.epoch AND r.least > f.epoch THEN r.least WHEN h.epoch > f.epoch THEN h.epoch + 1 ELSE f.epoch + 1 END
                ELSE h.epoch END,
            claim = CASE WHEN {isTaken} THEN r.claim ELSE h.claim END,
            deleted_at = CASE WHEN h.deleted_at IS NOT NULL AND {isTaken} THEN @now ELSE h.deleted_at END
        FROM [stout].[header] h JOIN @read r ON r.[key] = h.[key]{join} JOIN [stout].[epoch_floor] f ON f.id = 1;

        """;

    private static string Insert(bool hasLongKeys, string join) => $"""
        INSERT INTO [stout].[header] ([key], epoch, claim, stamp, request, generation, deleted_at, root, has_rows, value{(hasLongKeys ? ", long_key" : "")})
        SELECT r.[key], r.least, r.claim, {Zeros}, @request, {Zeros}, @now, 0, 0, NULL{(hasLongKeys ? ", l.long_key" : "")}
        FROM @read r{join}
        WHERE r.claim <> {NoClaim} AND (r.from_stamp IS NULL OR (r.from_stamp = {Zeros} AND r.from_epoch = 0))
            AND NOT EXISTS (SELECT 1 FROM [stout].[header] h WHERE h.[key] = r.[key])
        ORDER BY r.n;
        UPDATE h SET epoch = f.epoch + 1
        FROM [stout].[header] h JOIN @read r ON r.[key] = h.[key] JOIN [stout].[epoch_floor] f ON f.id = 1
        WHERE h.request = @request AND h.epoch <= f.epoch;

        """;

    // The columns of both branches: position, whether the row is a header, the header's columns, sub-key, length, value.
    private const string SelectHeaders = $"""
        SELECT r.n, 1, {StoredHeader.Columns},
            CAST(NULL AS varbinary(129)), CAST(CASE WHEN r.parts = 1 THEN DATALENGTH(h.value) END AS bigint),
            CAST(CASE WHEN r.parts = 1 THEN h.value END AS varbinary(max))
        FROM @read r JOIN [stout].[header] h ON h.[key] = r.[key]
        """;

    private const string SelectParts = $"""

        UNION ALL
        SELECT r.n, 0, {StoredHeader.NoColumns}, p.subkey, CAST(DATALENGTH(p.value) AS bigint), p.value
        FROM @read r
            JOIN [stout].[header] h ON h.[key] = r.[key]
            JOIN [stout].[part] p ON p.[key] = h.[key] AND p.generation = h.generation
        WHERE r.parts = 1 AND h.deleted_at IS NULL AND h.has_rows = 1
        """;

    private const string SelectAfterwards = $"""
        ;
        SELECT r.n, {StoredHeader.KeyColumns} FROM @read r JOIN [stout].[header] h ON h.[key] = r.[key];

        """;

    private const string Commit = "COMMIT TRANSACTION;";

    // One text for each combination of the arguments of `For`, created at its first use.
    private readonly string?[] _texts = new string?[32];

    /// <summary>The text for a batch.</summary>
    /// <param name="isLocked">Whether the text locks the headers.</param>
    /// <param name="claims">Whether the text claims keys, and therefore locks the headers.</param>
    /// <param name="parts">Whether the text reads parts.</param>
    /// <param name="hasLongKeys">Whether a key is long.</param>
    /// <param name="locks">The longest wait for a lock.</param>
    public string For(bool isLocked, bool claims, bool parts, bool hasLongKeys, LockWait locks)
    {
        ref var text = ref _texts[(isLocked ? 1 : 0) + (claims ? 2 : 0) + (parts ? 4 : 0) + (locks == LockWait.None ? 8 : 0) + (hasLongKeys ? 16 : 0)];
        var join = hasLongKeys ? JoinLongKeys : "";
        return text ??= Layout.In(schema, string.Concat(
            (string[])
            [
                StatementStart.With(locks, lockTimeout),
                isLocked || claims ? Lock(hasLongKeys ? IsTaken + AndIsSameKey : IsTaken, join) : "",
                claims ? Insert(hasLongKeys, join) : "",
                SelectHeaders,
                parts ? SelectParts : "",
                SelectAfterwards,
                hasLongKeys ? CompareLongKeys : "",
                isLocked || claims ? Commit : "",
            ]));
    }
}
