using System.Text;

namespace Stout.SqlServer.Writing;

/// <summary>The statements that commit a batch: one transaction, sent as one text.</summary>
/// <remarks>
/// <para>MERGE would be one statement, and its races are documented. The header is changed first, and only where the stamp is the expected
/// one; from then on the row is locked until the commit, so what follows for the keys that were <c>@won</c> can't be disturbed. A key
/// that somebody else makes at the same time ends in error 2601 or 2627, and the whole batch is sent again.</para>
/// <para>What comes back are the keys that were not won, with what the store holds of them.</para>
/// </remarks>
internal sealed class WriteStatement(string schema)
{
    public const string Keys = "@write";
    public const string Parts = "@part";
    public const string Now = "@now";

    private const string Begin = """
        SET NOCOUNT, XACT_ABORT ON;
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        DECLARE @won TABLE (
            [key] varbinary(257) NOT NULL PRIMARY KEY, generation varbinary(32) NOT NULL, old_generation varbinary(32) NULL,
            root int NOT NULL, old_root int NULL, old_has_rows int NULL);
        BEGIN TRANSACTION;
        UPDATE h SET
            epoch = w.epoch,
            stamp = w.stamp,
            generation = CASE WHEN w.kind = 0 AND h.deleted_at IS NULL THEN h.generation ELSE w.stamp END,
            deleted_at = CASE WHEN w.kind = 2 THEN @now END,
            root = COALESCE(w.root, h.root),
            has_rows = CASE WHEN w.kind = 0 AND h.has_rows = 1 THEN 1 ELSE w.has_rows END,
            value = CASE WHEN w.root IS NULL THEN h.value ELSE w.value END
        OUTPUT inserted.[key], inserted.generation, deleted.generation, inserted.root, deleted.root, deleted.has_rows INTO @won
        FROM [stout].[header] h JOIN @write w ON w.[key] = h.[key]
        WHERE h.stamp = w.expected AND h.epoch <= w.epoch;

        """;

    private const string Insert = """
        INSERT INTO [stout].[header] ([key], epoch, stamp, generation, deleted_at, root, has_rows, value)
        OUTPUT inserted.[key], inserted.generation, NULL, inserted.root, NULL, NULL INTO @won
        SELECT w.[key], w.epoch, w.stamp, w.stamp, CASE WHEN w.kind = 2 THEN @now END, COALESCE(w.root, 0), w.has_rows, w.value
        FROM @write w
        WHERE w.expected IS NULL AND NOT EXISTS (SELECT 1 FROM [stout].[header] h WHERE h.[key] = w.[key])
        ORDER BY w.n;

        """;

    // What begins anew leaves the rows of the generation before it to the sweeper; the row of an object that moves into its header goes.
    private const string Discard = """
        IF EXISTS (SELECT 1 FROM @won WHERE old_has_rows = 1 AND (old_generation <> generation OR (old_root = 2 AND root <> 2)))
        BEGIN
            INSERT INTO [stout].[garbage] ([key], generation)
            SELECT o.[key], o.old_generation FROM @won o WHERE o.old_has_rows = 1 AND o.old_generation <> o.generation;
            DELETE p FROM [stout].[part] p JOIN @won o ON p.[key] = o.[key] AND p.generation = o.generation
            WHERE p.subkey = 0x01 AND o.old_generation = o.generation AND o.old_root = 2 AND o.root <> 2;
        END;

        """;

    private const string PutParts = """
        UPDATE p SET value = d.value
        FROM @part d
            JOIN @write w ON w.n = d.n
            JOIN @won o ON o.[key] = w.[key]
            JOIN [stout].[part] p ON p.[key] = o.[key] AND p.generation = o.generation AND p.subkey = d.subkey
        WHERE d.value IS NOT NULL;
        INSERT INTO [stout].[part] ([key], generation, subkey, value)
        SELECT o.[key], o.generation, d.subkey, d.value
        FROM @part d JOIN @write w ON w.n = d.n JOIN @won o ON o.[key] = w.[key]
        WHERE d.value IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM [stout].[part] p WHERE p.[key] = o.[key] AND p.generation = o.generation AND p.subkey = d.subkey)
        ORDER BY d.n, d.subkey;

        """;

    private const string RemoveParts = """
        DELETE p
        FROM [stout].[part] p
            JOIN @won o ON p.[key] = o.[key] AND p.generation = o.generation
            JOIN @write w ON w.[key] = o.[key]
            JOIN @part d ON d.n = w.n AND d.subkey = p.subkey
        WHERE d.value IS NULL;

        """;

    private const string Commit = """
        SELECT w.n, h.stamp FROM @write w LEFT JOIN [stout].[header] h ON h.[key] = w.[key]
        WHERE NOT EXISTS (SELECT 1 FROM @won o WHERE o.[key] = w.[key]);
        COMMIT TRANSACTION;
        """;

    // A text for each combination of what a batch may need, so that the server keeps a plan for each and does nothing in vain.
    private readonly string?[] _texts = new string?[8];

    /// <summary>The text for a batch.</summary>
    /// <param name="inserts">Whether it has keys that must not exist.</param>
    /// <param name="putsParts">Whether it writes rows of parts.</param>
    /// <param name="removesParts">Whether it removes rows of parts.</param>
    public string For(bool inserts, bool putsParts, bool removesParts)
    {
        ref var text = ref _texts[(inserts ? 1 : 0) + (putsParts ? 2 : 0) + (removesParts ? 4 : 0)];
        return text ??= Layout.In(schema, new StringBuilder(Begin)
            .Append(inserts ? Insert : "")
            .Append(Discard)
            .Append(putsParts ? PutParts : "")
            .Append(removesParts ? RemoveParts : "")
            .Append(Commit)
            .ToString());
    }
}
