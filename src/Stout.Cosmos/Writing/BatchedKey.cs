using Stout.Cosmos.Items;
using Stout.Storage;

namespace Stout.Cosmos.Writing;

/// <summary>One key of a batch during its write.</summary>
internal sealed class BatchedKey(WriteBatch batch, int index)
{
    private readonly string _id = ItemIds.EncodeKey(batch[index].Key);

    public KeyWrite Write => batch[index];

    public ReadOnlySpan<PartWrite> Parts => batch.PartsOf(index);

    /// <summary>The encoded key, as in ids.</summary>
    public string EncodedKey => _id;

    /// <summary>The header that the change replaces, or null.</summary>
    public HeaderToken? Header { get; private set; } =
        batch[index].ExpectedToken is HeaderToken token && token.Owner == batch[index].Owner ? token : null;

    /// <summary>The object's own value, if it is in a header that has been read.</summary>
    public byte[]? Inline { get; private set; }

    // The most failed conditions of a change. More of them mean that another program, or the service, changes the header without changing its stamp.
    private const int MaxDoubts = 5;

    private int _doubts;

    /// <summary>
    /// Whether a condition has failed and the header has not been read since. An earlier request may have applied the change, and only a read of the
    /// header can tell.
    /// </summary>
    public bool IsInDoubt { get; private set; }

    /// <summary>Whether the change needs a transaction of its own, since it may have made earlier ones fail.</summary>
    public bool GoesAlone { get; set; }

    public bool IsSettled => batch.OutcomeOf(index).Kind != WriteOutcomeKind.Unknown || batch.OutcomeOf(index).Error is not null;

    /// <summary>Whether the header must be read before the change is sent.</summary>
    public bool NeedsHeader =>
        IsInDoubt
        || (Header is null && !ExpectsNoHeader)
        || (Inline is null && KeepsInline);

    // A key without a version and an owner has no header.
    private bool ExpectsNoHeader => Write.Expected.IsAbsent && Write.Owner == KeyOwner.None;

    /// <summary>Whether the header contains an own value that the change keeps; the header is written as a whole, with that value.</summary>
    public bool KeepsInline => Write.Kind == KeyWriteKind.Merge && Header is { Root: RootPlace.Inline } && !NamesRoot(Parts);

    /// <summary>Decides the change by the stored header, or records the header that it replaces.</summary>
    public void Judge(StoredItem? header)
    {
        IsInDoubt = false;
        Header = header?.Token;
        Inline = header?.Value;
        var stored = header?.Key ?? default;
        if (StampRule.Judge(stored, Write) is { } settled)
        {
            Settle(settled.Kind == WriteOutcomeKind.Committed ? settled with { Token = header!.Token } : settled);
        }
        else if (_doubts > MaxDoubts)
            Fail(new StoreException(StoreErrorKind.Busy, "Something changes the key's header without pause."));
    }

    /// <summary>Records a failed condition of the change. After the second failure the change is sent alone, so that it fails no other key.</summary>
    public void Doubt()
    {
        IsInDoubt = true;
        GoesAlone |= ++_doubts > 1;
    }

    public void Commit(HeaderToken header) => Settle(new WriteOutcome(WriteOutcomeKind.Committed, header));

    /// <summary>
    /// Decides the change by an error. After a failed condition even a certain error leaves the outcome unknown. A damaged header cannot settle the outcome
    /// later, so its error is final.
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
