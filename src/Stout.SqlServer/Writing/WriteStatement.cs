using System.Text;
using Stout.SqlServer.Client;

namespace Stout.SqlServer.Writing;

/// <summary>The statements that commit a batch: one transaction in one text.</summary>
/// <remarks>
/// <para>A MERGE statement would have documented races. Instead the header is updated first, if its stamp and owner are the expected ones, and records
/// the request. The row is then locked until the commit, so later statements can rely on the headers that record this request. (OUTPUT is not available
/// on every T-SQL server.) If another request creates the same key, error 2601 or 2627 follows, and the batch is sent again.</para>
/// <para>The statements return the keys whose update failed, with their stored versions and owners.</para>
/// </remarks>
internal sealed class WriteStatement(string schema, TimeSpan lockTimeout)
{
    public const string Keys = "@write";
    public const string Parts = "@part";
    public const string Request = "@request";
    public const string Now = "@now";

    // A comparison ignores zero bytes at the end, so a damaged claim may count as equal to the write's claim. The update then restores the claim.
    private const string Begin = $"""
        DECLARE @lost int, @discards int;
        BEGIN TRANSACTION;
        UPDATE h SET
            claim = w.claim,
            stamp = w.stamp,
            request = @request,
            generation = CASE WHEN w.kind = 0 AND h.deleted_at IS NULL THEN h.generation ELSE w.stamp END,
            deleted_at = CASE WHEN w.kind = 2 THEN @now END,
            root = COALESCE(w.root, h.root),
            has_rows = CASE WHEN h.has_rows = 1 THEN 1 ELSE w.has_rows END,
            value = CASE WHEN w.root IS NULL THEN h.value ELSE w.value END
        FROM [stout].[header] h JOIN @write w ON w.[key] = h.[key]
        WHERE h.stamp = w.expected AND h.epoch = w.epoch AND h.claim = w.claim AND (w.kind <> 0 OR ({StoredHeader.TakesMerge}));

        """;

    private static string Insert(bool hasLongKeys) => $"""
        INSERT INTO [stout].[header] ([key], epoch, claim, stamp, request, generation, deleted_at, root, has_rows, value{(hasLongKeys ? ", long_key" : "")})
        SELECT w.[key], w.epoch, w.claim, w.stamp, @request, w.stamp, CASE WHEN w.kind = 2 THEN @now END, COALESCE(w.root, 0), w.has_rows, w.value{(hasLongKeys ? ", l.long_key" : "")}
        FROM @write w{(hasLongKeys ? $" LEFT JOIN {LongKeyRows.Parameter} l ON l.n = w.n" : "")}
        WHERE w.expected IS NULL AND NOT EXISTS (SELECT 1 FROM [stout].[header] h WHERE h.[key] = w.[key])
        ORDER BY w.n;

        """;

    // The sweeper removes the rows of an ended generation. The row of an object's own value that moves into the header is removed here.
    private const string Discard = """
        SELECT @lost = SUM(CASE WHEN h.request = @request THEN 0 ELSE 1 END),
            @discards = SUM(CASE WHEN h.request = @request AND h.has_rows = 1 AND (w.kind <> 0 OR w.root < 2) THEN 1 ELSE 0 END)
        FROM @write w LEFT JOIN [stout].[header] h ON h.[key] = w.[key];
        IF @discards > 0
        BEGIN
            INSERT INTO [stout].[garbage] ([key])
            SELECT h.[key] FROM @write w JOIN [stout].[header] h ON h.[key] = w.[key]
            WHERE h.request = @request AND h.has_rows = 1 AND w.kind <> 0
                AND NOT EXISTS (SELECT 1 FROM [stout].[garbage] g WHERE g.[key] = w.[key]);
            DELETE p
            FROM [stout].[part] p
                JOIN [stout].[header] h ON h.[key] = p.[key] AND h.generation = p.generation
                JOIN @write w ON w.[key] = h.[key]
            WHERE h.request = @request AND h.has_rows = 1 AND w.root < 2 AND p.subkey = 0x01;
        END;

        """;

    private const string PutParts = """
        UPDATE p SET value = d.value
        FROM @part d
            JOIN @write w ON w.n = d.n
            JOIN [stout].[header] h ON h.[key] = w.[key]
            JOIN [stout].[part] p ON p.[key] = h.[key] AND p.generation = h.generation AND p.subkey = d.subkey
        WHERE h.request = @request AND d.value IS NOT NULL;
        INSERT INTO [stout].[part] ([key], generation, subkey, value)
        SELECT h.[key], h.generation, d.subkey, d.value
        FROM @part d JOIN @write w ON w.n = d.n JOIN [stout].[header] h ON h.[key] = w.[key]
        WHERE h.request = @request AND d.value IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM [stout].[part] p WHERE p.[key] = h.[key] AND p.generation = h.generation AND p.subkey = d.subkey)
        ORDER BY d.n, d.subkey;

        """;

    private const string RemoveParts = """
        DELETE p
        FROM [stout].[part] p
            JOIN [stout].[header] h ON h.[key] = p.[key] AND h.generation = p.generation
            JOIN @write w ON w.[key] = h.[key]
            JOIN @part d ON d.n = w.n AND d.subkey = p.subkey
        WHERE h.request = @request AND d.value IS NULL;

        """;

    private const string Commit = $"""
        IF @lost > 0
            SELECT w.n, h.[key], {StoredHeader.Columns} FROM @write w LEFT JOIN [stout].[header] h ON h.[key] = w.[key]
            WHERE h.request IS NULL OR h.request <> @request;
        COMMIT TRANSACTION;
        """;

    private const string Stamps = $"SELECT w.n, h.[key], {StoredHeader.Columns} FROM @write w LEFT JOIN [stout].[header] h ON h.[key] = w.[key];";

    // One text for each combination of the arguments of `For`, so that the server keeps a plan for each and does no unnecessary work.
    private readonly string?[] _texts = new string?[32];

    /// <summary>Returns the headers of all keys, after a request of uncertain outcome.</summary>
    public string Look { get; } = Layout.In(schema, StatementStart.With(LockWait.Short, lockTimeout) + Stamps);

    /// <summary>The text for a batch.</summary>
    /// <param name="inserts">Whether the batch has keys that must have no header.</param>
    /// <param name="putsParts">Whether the batch writes part rows.</param>
    /// <param name="removesParts">Whether the batch removes part rows.</param>
    /// <param name="insertsLongKeys">Whether one of the keys without a header is long.</param>
    /// <param name="locks">The longest wait for a lock.</param>
    public string For(bool inserts, bool putsParts, bool removesParts, bool insertsLongKeys, LockWait locks)
    {
        ref var text = ref _texts[
            (inserts ? 1 : 0) + (putsParts ? 2 : 0) + (removesParts ? 4 : 0) + (locks == LockWait.None ? 8 : 0) + (insertsLongKeys ? 16 : 0)];
        return text ??= Layout.In(schema, new StringBuilder(StatementStart.With(locks, lockTimeout))
            .Append(Begin)
            .Append(inserts ? Insert(insertsLongKeys) : "")
            .Append(Discard)
            .Append(putsParts ? PutParts : "")
            .Append(removesParts ? RemoveParts : "")
            .Append(Commit)
            .ToString());
    }
}
