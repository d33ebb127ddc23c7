using System.Text;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>What the rows of an answer say of one key. The default is a key without a header.</summary>
internal struct FoundKey
{
    private Stamp _stamp;
    private bool _isDeleted;
    private List<StoredPart>? _parts;

    public void SetHeader(Stamp stamp, bool isDeleted, byte[]? own)
    {
        _stamp = stamp;
        _isDeleted = isDeleted;
        if (own is not null)
            (_parts ??= []).Add(new StoredPart(SubKey.Root, own));
    }

    public void AddPart(byte[] subKey, byte[] value) => (_parts ??= []).Add(new StoredPart(new SubKey(Encoding.UTF8.GetString(subKey)), value));

    /// <returns>What a reader of an epoch is told, or null: the key has to be claimed first.</returns>
    public readonly ReadOutcome? Settle(long epoch)
    {
        if (_stamp.IsAbsent)
            return ReadOutcome.NotFound(Stamp.Absent);
        if (_stamp.Epoch > epoch)
            return ReadOutcome.Fenced;
        if (_stamp.Epoch < epoch)
            return null;
        return _isDeleted ? ReadOutcome.NotFound(_stamp) : ReadOutcome.Found(_stamp, _parts ?? []);
    }
}
