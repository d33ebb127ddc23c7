using Stout.Cosmos.Items;
using Stout.Storage;

namespace Stout.Cosmos.Writing;

/// <summary>One key of a batch while it is being written.</summary>
internal sealed class KeyChange(WriteBatch batch, int index)
{
    private readonly string _id = ItemIds.EncodeKey(batch[index].Key);

    public KeyWrite Write => batch[index];

    public ReadOnlySpan<PartWrite> Parts => batch.PartsOf(index);

    /// <summary>The key as it stands in ids.</summary>
    public string EncodedKey => _id;

    /// <summary>The header that the change replaces; null if there is none.</summary>
    public HeaderToken? Header { get; private set; } = batch[index].Expected.IsAbsent ? null : batch[index].ExpectedToken as HeaderToken;

    /// <summary>The object's own bytes, if they are in the header and it has been read.</summary>
    public byte[]? Inline { get; private set; }

    // A header that changes while its stamp stays is written by something that is no client of ours, or by the service.
    private const int MaxDoubts = 5;

    private int _doubts;

    /// <summary>
    /// A condition has failed, and the header has not been read since. It may be because the change was applied before, so
    /// nothing but a reading can say that it was not.
    /// </summary>
    public bool IsInDoubt { get; private set; }

    /// <summary>Whether the change goes in a transaction of its own: it may be the reason why the ones that it was in have failed.</summary>
    public bool GoesAlone { get; set; }

    public bool IsSettled => batch.OutcomeOf(index).Kind != WriteOutcomeKind.Unknown || batch.OutcomeOf(index).Error is not null;

    /// <summary>Whether the header has to be read before the change can be sent.</summary>
    public bool NeedsHeader =>
        IsInDoubt
        || Write.Expected.Epoch > Write.Next.Epoch
        || (!Write.Expected.IsAbsent && Header is null)
        || (Inline is null && KeepsInline);

    /// <summary>Whether the header holds bytes that the change leaves as they are: it is written as a whole, and they with it.</summary>
    public bool KeepsInline => Write.Kind == KeyWriteKind.Merge && Header is { Root: RootPlace.Inline } && !NamesRoot(Parts);

    /// <summary>Settles the change by what the store holds, or notes the header that it replaces.</summary>
    public void Judge(StoredItem? header)
    {
        IsInDoubt = false;
        Header = header?.Token;
        Inline = header?.Value;
        var stored = header?.Stamp ?? Stamp.Absent;
        if (StampRule.Judge(stored, Write) is { } settled)
            Settle(new WriteOutcome(settled, settled == WriteOutcomeKind.Committed ? header!.Token : null));
        else if (_doubts > MaxDoubts)
            Fail(new StoreException(StoreErrorKind.Busy, "Something changes the key's header without pause."));
    }

    /// <summary>A condition of the change has failed. After a second time it is sent by itself, so that it fails no other key.</summary>
    public void Doubt()
    {
        IsInDoubt = true;
        GoesAlone = ++_doubts > 1;
    }

    public void Commit(HeaderToken header) => Settle(new WriteOutcome(WriteOutcomeKind.Committed, header));

    /// <summary>
    /// Settles the change by an error. In doubt even a certain error leaves the outcome unknown; but a damaged header will not tell it later either, and
    /// another attempt finds no more than this one.
    /// </summary>
    public void Fail(StoreException error) =>
        Settle(IsInDoubt && error.Kind != StoreErrorKind.Corrupt ? new WriteOutcome(WriteOutcomeKind.Unknown, Error: error) : WriteOutcome.Of(error));

    private static bool NamesRoot(ReadOnlySpan<PartWrite> parts)
    {
        foreach (ref readonly var part in parts)
        {
            if (part.SubKey.IsRoot)
                return true;
        }

        return false;
    }

    private void Settle(in WriteOutcome outcome) => batch.SetOutcome(index, outcome);
}
