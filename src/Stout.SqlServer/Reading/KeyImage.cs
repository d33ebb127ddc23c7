using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>The rows of one key: its header, its parts, and its version and owner read again afterwards.</summary>
internal sealed class KeyImage
{
    private readonly List<StoredPart> _parts = [];
    private KeyHeader _key;
    private KeyHeader _keyAfterwards;
    private bool _lives;
    private RootPlace _root;
    private byte[]? _inline;
    private string? _damage;
    private bool _isCompared;
    private bool _isOfOtherKey;

    public void AddHeader(in StoredHeader header, byte[]? inline) => (_key, _lives, _root, _inline) = (header.Key, header.Lives, header.Root, inline);

    public void AddPart(SubKey subKey, byte[] value) => _parts.Add(new StoredPart(subKey, value));

    public void AddKeyAfterwards(in KeyHeader key) => _keyAfterwards = key;

    /// <summary>Records whether the header's long key equals the long key of the read.</summary>
    public void AddComparison(bool isSame) => (_isCompared, _isOfOtherKey) = (true, !isSame);

    /// <summary>Records that a row of the key is damaged. Other keys of the request are unaffected.</summary>
    public void Damage(string what) => _damage ??= what;

    /// <summary>The outcome of the read.</summary>
    /// <returns>The outcome. Null: the claim was not taken, since the key was created or removed meanwhile; or the key changed during the read.</returns>
    public ReadOutcome? Settle(in KeyRead read)
    {
        if (_damage is { } damage)
            return Damaged(damage);
        if (_key != _keyAfterwards)
            return null;
        if (_isOfOtherKey)
            return ReadOutcome.Of(LongKeys.Mismatch());
        if (!_isCompared && _key != default && LongKeys.IsLong(read.Key))
            return null;
        if (read.Claim is { } claim && _key.Owner.Claim != claim.Id)
            return claim.OnlyIf is { } present && present != _key ? ReadOutcome.FencedBy(_key) : null;
        if (!_lives)
            return _inline is null ? ReadOutcome.NotFound(_key.Version, owner: _key.Owner) : Damaged("The object's own bytes are not where the header says.");
        return read.ReadsParts ? SettleParts() : ReadOutcome.Found(_key.Version, [], owner: _key.Owner);
    }

    private ReadOutcome SettleParts()
    {
        if (_root == RootPlace.Inline != _inline is not null)
            return Damaged("The object's own bytes are not where the header says.");
        if (_inline is not null)
            _parts.Add(new StoredPart(SubKey.Root, _inline));

        // A missing root row makes the object incomplete; a root row that the header does not mention is damage too.
        return _parts.Count(static part => part.SubKey.IsRoot) != (_root == RootPlace.None ? 0 : 1)
            ? Damaged("The row of the object's own bytes is missing, or there is one too many.")
            : ReadOutcome.Found(_key.Version, _parts, owner: _key.Owner);
    }

    private static ReadOutcome Damaged(string what) => ReadOutcome.Of(new StoreException(StoreErrorKind.Corrupt, what));
}
