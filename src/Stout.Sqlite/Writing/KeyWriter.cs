using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>Writes one key within a transaction of the caller.</summary>
internal sealed class KeyWriter(Connection connection, Sweeper sweeper)
{
    private readonly HeaderTable _headers = new(connection);
    private readonly PartTable _parts = new(connection);

    /// <returns>The key's outcome if the transaction commits.</returns>
    public WriteOutcome Apply(in KeyWrite write, ReadOnlySpan<PartWrite> parts)
    {
        if (IsPlainUpdate(write, parts) && _headers.TryExchange(write, parts[0].Value.Span))
            return new WriteOutcome(WriteOutcomeKind.Committed, write.ExpectedToken);
        var header = _headers.Find(write.Key);
        if (StampRule.Judge(header.Key, write) is { } settled)
            return settled.Kind == WriteOutcomeKind.Committed ? settled with { Token = header.RowId } : settled;

        sweeper.Earn(parts);
        var begins = write.Kind != KeyWriteKind.Merge || !header.HasObject;
        if (begins && header.HasRows)
            sweeper.Bury(write.Key, header.Generation);
        if (write.Kind == KeyWriteKind.Delete)
            _headers.Delete(write.Key, header, write.Next, sweeper.NoteDeletion());
        else
            Put(write, parts, header, begins);

        // The header is written last, so InsertedRow is the header's row.
        return new WriteOutcome(WriteOutcomeKind.Committed, Token: header.RowId == 0 ? connection.InsertedRow : header.RowId);
    }

    /// <summary>Gives a key its new owner.</summary>
    /// <returns>The outcome of a refused claim; null if the claim has succeeded.</returns>
    public ReadOutcome? Claim(in KeyRead read)
    {
        var header = _headers.Find(read.Key);
        if (header.IsOfOtherKey)
            return ReadOutcome.Of(LongKeys.Mismatch());
        try
        {
            if (ClaimRule.Judge(header.Key, read.Claim!, _headers.ReadEpochFloor()) is not { } owner)
                return ReadOutcome.FencedBy(header.Key);
            if (owner != header.Key.Owner)
                _headers.Claim(read.Key, header, owner, header.HasObject ? 0 : sweeper.NoteDeletion());
            return null;
        }
        catch (StoreException damaged)
        {
            return ReadOutcome.Of(damaged);
        }
    }

    private void Put(in KeyWrite write, ReadOnlySpan<PartWrite> parts, in Header header, bool begins)
    {
        var generation = begins ? default : header.Generation;
        var root = begins ? RootPlace.None : header.Root;
        var changesRoot = false;
        ReadOnlySpan<byte> inline = default;
        foreach (ref readonly var part in parts)
        {
            var place = RootPlaces.Of(part);
            if (place == RootPlace.Row)
            {
                if (generation.IsAbsent)
                    generation = write.Next;
                _parts.Put(write.Key, generation, part.SubKey, part.Value.Span);
            }
            else if (part.SubKey.IsRoot ? root == RootPlace.Row : !generation.IsAbsent)
            {
                _parts.Remove(write.Key, generation, part.SubKey);
            }

            if (part.SubKey.IsRoot)
            {
                changesRoot = true;
                root = place;
                inline = place == RootPlace.Inline ? part.Value.Span : default;
            }
        }

        if (begins)
            _headers.Begin(write.Key, header, write.Next, generation, root, inline);
        else if (changesRoot)
            _headers.ChangeValue(header, write.Next, generation, root, inline);
        else
            _headers.ChangeStamp(header, write.Next, generation);
    }

    /// <summary>Whether the write only changes the object's own value, and the value fits into the header.</summary>
    private static bool IsPlainUpdate(in KeyWrite write, ReadOnlySpan<PartWrite> parts) =>
        write.Kind == KeyWriteKind.Merge && !write.Expected.IsAbsent
        && parts.Length == 1 && parts[0].SubKey.IsRoot && RootPlaces.Of(parts[0]) == RootPlace.Inline;
}
