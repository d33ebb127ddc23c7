using System.Text;
using Azure;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>One key of a batch: its row operations and its outcome.</summary>
internal sealed class BatchedKey(WriteBatch batch, int index)
{
    // An upper bound of the bytes of an operation without its keys and values: methods, headers, property names, stamps, ETags.
    private const int OperationBytes = 1_000;

    private const int EscapedUnitBytes = 9;
    private const int UnitBytes = 3;

    private readonly string _key = RowKeys.Encode(batch[index].Key);
    private HashSet<string>? _rows;
    private int _refreshes;

    public KeyWrite Write => batch[index];

    public ReadOnlySpan<PartWrite> Parts => batch.PartsOf(index);

    /// <summary>The expected header; null if it has to be read, or must not exist.</summary>
    public HeaderToken? Known { get; private set; } =
        batch[index].ExpectedToken is HeaderToken token && token.Owner == batch[index].Owner ? token : null;

    /// <summary>
    /// Whether the header must be read before sending: its token is unknown, or is that of another owner. A key without a version and an owner has no header.
    /// </summary>
    public bool NeedsHeader => Known is null && !(Write.Expected.IsAbsent && Write.Owner == KeyOwner.None);

    public string HeaderRow => RowKeys.Header(_key);

    /// <summary>The outcome; null while undecided.</summary>
    public WriteOutcome? Outcome { get; set; }

    /// <summary>
    /// Whether an earlier attempt's outcome is uncertain. Only the write's own stamp in the header proves a commit. Another new stamp proves nothing, since
    /// its writer may have overwritten that attempt's result.
    /// </summary>
    public bool IsInDoubt { get; set; }

    /// <summary>The parts of the ending generation, if the write removes their rows itself; null if the sweeper does.</summary>
    private IReadOnlyList<SubKey>? DyingParts =>
        Begins && Known is { Generation: not null, Parts.SubKeys: var parts } && parts.Count + Parts.Length + 2 <= TransactionBody.MaxEntities ? parts : null;

    /// <summary>An upper bound of the change's entities in a transaction.</summary>
    public int Entities => 1 + Parts.Length - (FindRoot() >= 0 ? 1 : 0) + (DyingParts?.Count ?? 0) + (MakesGarbage ? 1 : 0);

    /// <summary>An upper bound of the change's bytes in a transaction.</summary>
    public int Bytes
    {
        get
        {
            var bytes = OperationBytes + (EscapedUnitBytes * _key.Length) + LongKeyBytes;
            foreach (ref readonly var part in Parts)
            {
                bytes += OperationBytes + (EscapedUnitBytes * (_key.Length + Math.Min(3 * part.SubKey.Text.Length, SubKey.MaxBytes)));
                bytes += (part.Value.Length * 4 / 3) + (part.Value.Length / RowValue.PieceBytes * 64);
            }

            foreach (var part in DyingParts ?? [])
                bytes += OperationBytes + (EscapedUnitBytes * (_key.Length + Math.Min(3 * part.Text.Length, SubKey.MaxBytes)));
            return bytes;
        }
    }

    private int LongKeyBytes => LongKeys.IsLong(Write.Key) ? UnitBytes * Encoding.UTF8.GetByteCount(Write.Key.Text) : 0;

    /// <summary>The generation of the key's parts after the write; null if the object has had no parts.</summary>
    public Stamp? Generation => Begins || Known?.Generation is null ? (PutsParts ? Write.Next : null) : Known.Generation;

    /// <summary>The prefix of the rows of the stored generation. A part that the write removes may have no row there.</summary>
    public string PartRows => RowKeys.Part(_key, Known!.Generation!.Value.ToHex(), "");

    private bool Begins => Write.Kind != KeyWriteKind.Merge || Known is null or { IsDeleted: true };

    private bool MakesGarbage => Write.Kind == KeyWriteKind.Delete || LeavesRows;

    private bool LeavesRows => Begins && Known?.Generation is not null && DyingParts is null;

    private bool PutsParts
    {
        get
        {
            foreach (ref readonly var part in Parts)
            {
                if (!part.SubKey.IsRoot && !part.IsDeleted)
                    return true;
            }

            return false;
        }
    }

    /// <summary>Decides the change by the header that was read, or records the header for the next attempt.</summary>
    public void Learn(Header? header)
    {
        var stored = header?.Key ?? default;
        if (stored.Version == Write.Next)
            Outcome = new WriteOutcome(WriteOutcomeKind.Committed, header!.Token);
        else if (IsInDoubt && stored.Version != Write.Expected)
            Outcome = new WriteOutcome(WriteOutcomeKind.Unknown, Error: AzureTablesErrors.Overwritten());
        else if (StampRule.Judge(stored, Write) is { } settled)
            Outcome = settled;
        else if (header?.Announced is { } next && next.Epoch > Write.Owner.Epoch)
            Outcome = WriteOutcome.FencedBy(next);
        else if (_refreshes++ > 2)
            Fail(new StoreException(StoreErrorKind.Busy, "Something changes the key's header without pause."));
        Known = header?.Token;
    }

    /// <summary>Records the existing rows of the current generation: deleting a missing row would fail the transaction.</summary>
    public void LearnRows(IEnumerable<string> rows) => _rows = [.. rows];

    /// <summary>Whether the change may delete rows that do not exist.</summary>
    public bool MayMissRows => _rows is null && Known?.Generation is not null && (Begins ? DyingParts is { Count: > 0 } : HasGoingParts());

    /// <returns>Whether the change has left the rows of a dead generation to the sweeper.</returns>
    public bool Commit(ETag? etag)
    {
        var leavesRows = LeavesRows;
        var before = Begins || Known!.Generation is null ? KnownParts.None : Known.Parts;
        Outcome = new WriteOutcome(
            WriteOutcomeKind.Committed,
            etag is not { } tag ? null : new HeaderToken(tag, Write.Owner, Generation, Write.Kind == KeyWriteKind.Delete, before?.After(Parts)));
        return leavesRows;
    }

    /// <summary>Decides the key by an error. After an uncertain attempt even a certain error leaves the outcome unknown.</summary>
    public void Fail(StoreException error) => Outcome = IsInDoubt
        ? new WriteOutcome(WriteOutcomeKind.Unknown, Error: error, RetryAfter: error.RetryAfter)
        : WriteOutcome.Of(error);

    /// <summary>Adds the change's operations to a transaction, beginning with the header's operation.</summary>
    /// <param name="body">The transaction.</param>
    /// <param name="now">The deletion time of a deleted object.</param>
    /// <param name="retention">The retention of a deleted header.</param>
    public void AddTo(TransactionBody body, DateTimeOffset now, TimeSpan retention)
    {
        AddHeader(body, now);
        var generation = Generation is { } stamp ? stamp.ToHex() : null;
        foreach (ref readonly var part in Parts)
        {
            if (part.SubKey.IsRoot || generation is null)
                continue;
            var row = RowKeys.Part(_key, generation, RowKeys.Encode(part.SubKey.Text));
            if (!part.IsDeleted)
            {
                RowValue.Write(body.BeginReplace(row, etag: null), part.Value.Span);
                body.End();
            }
            else if (!Begins && Known?.Generation is not null && _rows?.Contains(row) != false)
            {
                body.Delete(row, ETag.All);
            }
        }

        foreach (var part in DyingParts ?? [])
        {
            var row = PartRows + RowKeys.Encode(part.Text);
            if (_rows?.Contains(row) != false)
                body.Delete(row, ETag.All);
        }

        if (!MakesGarbage)
            return;
        var left = DyingParts is null ? Known?.Generation : null;
        new Garbage(_key, left, left is null ? now + retention : now, Write.Next).AddTo(body);
    }

    private void AddHeader(TransactionBody body, DateTimeOffset now)
    {
        var root = FindRoot();
        var isWhole = Begins || root >= 0;
        var json = Known is null ? body.BeginInsert(HeaderRow)
            : isWhole ? body.BeginReplace(HeaderRow, Known.ETag)
            : body.BeginMerge(HeaderRow, Known.ETag);
        json.WriteString(Layout.Stamp, Write.Next.ToHex());
        if (isWhole && Write.Owner != KeyOwner.None)
            json.WriteString(Layout.Owner, Write.Owner.ToHex());
        if (isWhole && RowKeys.EncodeLong(Write.Key) is { } longKey)
            json.WriteString(Layout.LongKey, longKey);
        if (Generation is { } generation && (isWhole || Known!.Generation is null))
            json.WriteString(Layout.Generation, generation.ToHex());
        if (Write.Kind == KeyWriteKind.Delete)
            body.WriteTime(Layout.DeletedAt, now);
        if (root >= 0 && !Parts[root].IsDeleted)
            RowValue.Write(json, Parts[root].Value.Span);
        body.End();
    }

    private int FindRoot()
    {
        for (var i = 0; i < Parts.Length; i++)
        {
            if (Parts[i].SubKey.IsRoot)
                return i;
        }

        return -1;
    }

    private bool HasGoingParts()
    {
        foreach (ref readonly var part in Parts)
        {
            if (part.IsDeleted && !part.SubKey.IsRoot)
                return true;
        }

        return false;
    }
}
