using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>The rows of one key: its header, its parts, and its stamp read again afterwards.</summary>
internal sealed class KeyImage
{
    private readonly List<StoredPart> _parts = [];
    private Stamp _stamp;
    private Stamp _stampAfterwards;
    private bool _lives;
    private RootPlace _root;
    private string? _damage;

    public void AddHeader(in Stamp stamp, bool lives, RootPlace root, byte[]? inline)
    {
        (_stamp, _lives, _root) = (stamp, lives, root);
        if (root == RootPlace.Inline != inline is not null)
            Damage("The object's own bytes are not where the header says.");
        else if (root == RootPlace.Inline)
            _parts.Add(new StoredPart(SubKey.Root, inline));
    }

    public void AddPart(SubKey subKey, byte[] value) => _parts.Add(new StoredPart(subKey, value));

    public void AddStampAfterwards(in Stamp stamp) => _stampAfterwards = stamp;

    /// <summary>Records that a row of the key is damaged. Other keys of the request are unaffected.</summary>
    public void Damage(string what) => _damage ??= what;

    /// <summary>The outcome of the read.</summary>
    /// <returns>The outcome; null if the key has to be claimed first, or changed during the read.</returns>
    public ReadOutcome? Settle(in Stamp claim)
    {
        if (_damage is { } damage)
            return Damaged(damage);
        if (_stamp.Epoch > claim.Epoch || _stampAfterwards.Epoch > claim.Epoch)
            return ReadOutcome.FencedBy(default);
        if (_stamp != _stampAfterwards || (!_stamp.IsAbsent && _stamp.Epoch < claim.Epoch))
            return null;
        if (!_lives)
            return ReadOutcome.NotFound(_stamp);

        // A missing root row makes the object incomplete; a root row that the header does not mention is damage too.
        return _parts.Count(static part => part.SubKey.IsRoot) != (_root == RootPlace.None ? 0 : 1)
            ? Damaged("The row of the object's own bytes is missing, or there is one too many.")
            : ReadOutcome.Found(_stamp, _parts);
    }

    private static ReadOutcome Damaged(string what) => ReadOutcome.Of(new StoreException(StoreErrorKind.Corrupt, what));
}
