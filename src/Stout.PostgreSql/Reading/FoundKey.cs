using System.Text;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>The rows of an answer about one key. The default value means no header.</summary>
internal struct FoundKey
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private Stamp _stamp;
    private bool _isDeleted;
    private List<StoredPart>? _parts;
    private List<MissingValue>? _missing;
    private StoreException? _damage;

    /// <summary>The values that the answer omitted because of its size; null if it is complete.</summary>
    public readonly List<MissingValue>? Missing => _missing;

    public readonly Stamp Stamp => _stamp;

    /// <param name="stamp">The stored stamp's bytes, or null.</param>
    /// <param name="state">The state of the object in the header.</param>
    /// <param name="own">The object's own value; null if it is absent or omitted.</param>
    /// <param name="size">The length of that value; null if it is absent.</param>
    public void SetHeader(byte[]? stamp, HeaderState state, byte[]? own, int? size)
    {
        if (!Stamp.TryRead(stamp, out _stamp) || state is not (HeaderState.Lives or HeaderState.IsDeleted))
        {
            _damage = PostgreSqlErrors.Undecodable();
            return;
        }

        _isDeleted = state == HeaderState.IsDeleted;
        if (own is not null)
            (_parts ??= []).Add(new StoredPart(SubKey.Root, own));
        else if (size is { } bytes)
            (_missing ??= []).Add(new MissingValue(null, SubKey.Root, bytes));
    }

    /// <param name="subKey">The part's sub-key, or null.</param>
    /// <param name="value">The part's value; null if omitted.</param>
    /// <param name="size">The value's length, or null.</param>
    public void AddPart(byte[]? subKey, byte[]? value, int? size)
    {
        // The object's own value is in its header, so no part has an empty sub-key.
        if (subKey is null or [] || size is not { } bytes)
        {
            _damage = PostgreSqlErrors.Undecodable();
            return;
        }

        try
        {
            var part = new SubKey(Utf8.GetString(subKey));
            if (value is not null)
                (_parts ??= []).Add(new StoredPart(part, value));
            else
                (_missing ??= []).Add(new MissingValue(subKey, part, bytes));
        }
        catch (Exception error) when (error is DecoderFallbackException or InvalidKeyException)
        {
            _damage = PostgreSqlErrors.Undecodable();
        }
    }

    /// <summary>Adds an omitted value.</summary>
    public void Add(SubKey part, byte[] value) => (_parts ??= []).Add(new StoredPart(part, value));

    /// <returns>The outcome for a reader of an epoch; null if the key has to be claimed first.</returns>
    public readonly ReadOutcome? Settle(long epoch)
    {
        if (_damage is not null)
            return ReadOutcome.Of(_damage);
        if (_stamp.IsAbsent)
            return ReadOutcome.NotFound(Stamp.Absent);
        if (_stamp.Epoch > epoch)
            return ReadOutcome.FencedBy(default);
        if (_stamp.Epoch < epoch)
            return null;
        return _isDeleted ? ReadOutcome.NotFound(_stamp) : ReadOutcome.Found(_stamp, _parts ?? []);
    }
}
