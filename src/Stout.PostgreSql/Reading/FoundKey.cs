using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>The rows of an answer about one key. The default value stands for a key without a header.</summary>
internal struct FoundKey
{
    private Stamp _version;
    private KeyOwner _owner;
    private bool _lives;
    private List<StoredPart>? _parts;
    private List<MissingValue>? _missing;
    private bool _isCompared;
    private StoreException? _damage;

    /// <summary>The values that the answer omitted, since it would have been too large; null if no value was omitted.</summary>
    public readonly List<MissingValue>? Missing => _missing;

    public readonly KeyHeader Header => new(_version, _owner);

    /// <param name="stamp">The stored stamp's bytes, or null.</param>
    /// <param name="owner">The key's owner; null if it is damaged.</param>
    /// <param name="state">The state of the object in the header.</param>
    /// <param name="own">The object's own value; null if it is absent or omitted.</param>
    /// <param name="size">The length of the object's own value; null if the value is absent.</param>
    public void SetHeader(byte[]? stamp, KeyOwner? owner, HeaderState state, byte[]? own, int? size)
    {
        // A key that was claimed and never written has no stamp.
        var isSound = Stamp.TryRead(stamp, out _version) || (stamp is [] && owner is { Epoch: > 0 });
        if (!isSound || owner is not { } sound || state == HeaderState.IsDamaged)
        {
            _damage ??= PostgreSqlErrors.Undecodable();
            return;
        }

        _owner = sound;
        _lives = state == HeaderState.Lives;
        if (own is not null)
            (_parts ??= []).Add(new StoredPart(SubKey.Root, own));
        else if (size is { } bytes)
            (_missing ??= []).Add(new MissingValue(null, SubKey.Root, bytes));
    }

    /// <summary>Records whether the header's long key equals the long key of the read.</summary>
    public void SetComparison(bool isSame)
    {
        _isCompared = true;
        if (!isSame)
            _damage = LongKeys.Mismatch();
    }

    /// <param name="subKey">The part's sub-key, or null.</param>
    /// <param name="value">The part's value; null if omitted.</param>
    /// <param name="size">The value's length, or null.</param>
    public void AddPart(byte[]? subKey, byte[]? value, int? size)
    {
        // The object's own value is in its header, so no part has an empty sub-key.
        if (subKey is null or [] || size is not { } bytes || !SubKeyBytes.TryRead(subKey, out var part))
            _damage = PostgreSqlErrors.Undecodable();
        else if (value is not null)
            (_parts ??= []).Add(new StoredPart(part, value));
        else
            (_missing ??= []).Add(new MissingValue(subKey, part, bytes));
    }

    /// <summary>Adds a value that the answer had omitted.</summary>
    public void Add(SubKey part, byte[] value) => (_parts ??= []).Add(new StoredPart(part, value));

    /// <summary>The outcome of a read.</summary>
    /// <param name="read">The read.</param>
    /// <param name="wasClaimed">Whether an earlier request has claimed the key for this read.</param>
    /// <returns>
    /// The outcome. Null: another transaction created or removed the key between two statements, or held it so that the claim was not taken.
    /// </returns>
    public readonly ReadOutcome? Settle(in KeyRead read, bool wasClaimed)
    {
        if (_damage is not null)
            return ReadOutcome.Of(_damage);
        if (!_isCompared && Header != default && LongKeys.IsLong(read.Key))
            return null;
        if (read.Claim is { } claim && _owner.Claim != claim.Id)
        {
            var isOther = claim.OnlyIf is { } present && present != Header;
            return wasClaimed || isOther ? ReadOutcome.FencedBy(Header) : null;
        }

        return _lives ? ReadOutcome.Found(_version, _parts ?? [], owner: _owner) : ReadOutcome.NotFound(_version, owner: _owner);
    }
}
