using Stout.Storage;

namespace Stout.Documents;

/// <summary>
/// The editor of a changing function. Changes are staged beside the document's parts, so that a function that throws has changed nothing.
/// </summary>
internal sealed class StagedEditor<T>(PartCodec<T> codec, StorageLimits limits, StoutOptions options, Expiry<T>? expiry) : DocumentEditor<T>
    where T : class
{
    private readonly PartTable _staged = new();

    /// <summary>The number of parts that the object has after the staged changes.</summary>
    private int _count;

    /// <summary>
    /// Whether the function sees only staged parts, since it has deleted the object, or since the object had expired when the function began.
    /// </summary>
    private bool _isDeleted;

    /// <summary>Whether the object had expired when the function began. If so, the function sees an absent object.</summary>
    private bool _hadExpired;

    /// <summary>Whether the function has called <see cref="Delete"/> while the object had parts, expired or not.</summary>
    private bool _deletes;

    private PartNames? _names;
    private Document? _document;

    public override bool Exists => Document is not null && _count > 0;

    public override T? this[string name] => Find(name) is { } part ? codec.Read(Document, part) : null;

    private protected override PartNames NamesNow => _isDeleted || _staged.Count > 0 ? _names ??= MergeNames() : Document.Parts.Names;

    /// <summary>The document, until the function returns.</summary>
    public Document Document => _document ?? throw new InvalidOperationException("The editor can't be used after its function has returned.");

    /// <summary>Prepares the editor for a function. The caller holds the document's gate, which is the object's lock.</summary>
    public void Begin(Document document)
    {
        _document = document;
        _hadExpired = _isDeleted = expiry is not null && expiry.HasExpired(document, document.Parts.Find(string.Empty));
        _count = _hadExpired ? 0 : document.Parts.Count;
    }

    public override int? SizeOf(string name) => Find(name)?.Size;

    public override void Set(string name, T value)
    {
        ArgumentNullException.ThrowIfNull(value);
        var part = codec.Make(Document, new SubKey(name), value);
        if (limits.TooLarge(Document.Key, part.Size, bytes: 0, parts: 0) is { } tooLarge)
            throw tooLarge;
        if (Find(name) is null)
        {
            _count++;
            _names = null;
        }

        // A value that expires is written even if its bytes are unchanged. The write gives the object a new stamp, so that a concurrent sweep does not delete
        // the object.
        if (!_isDeleted && !part.Expires && Document.Parts.Find(name) is { } held && codec.IsUnchanged(Document, held, part))
            _staged.Remove(name);
        else
            _staged.Put(part);
    }

    public override bool Remove(string name)
    {
        if (Find(name) is null)
            return false;
        _count--;
        _names = null;
        if (!_isDeleted && Document.Parts.Find(name) is { } stored)
            _staged.Put(new Part(stored.Name) { IsRemoval = true });
        else
            _staged.Remove(name);
        return true;
    }

    public override void Delete()
    {
        _deletes = _isDeleted = Document.Parts.Count > 0;
        _staged.Clear();
        _count = 0;
        _names = null;
    }

    /// <summary>Builds the change after the function has returned.</summary>
    /// <returns>The change; null if the function changed nothing.</returns>
    /// <exception cref="ChangeTooLargeException">The change exceeds the limits of one store request.</exception>
    /// <exception cref="ObjectTooLargeException">The object would exceed the options' bounds.</exception>
    public Change? Complete()
    {
        if (_count == 0)
            return Document.Parts.Count > 0 && (_deletes || !_hadExpired) ? new Change(Document) { DeletesObject = true, RestsOnExpired = _hadExpired } : null;
        if (_staged.Count == 0)
            return null;
        var change = new Change(Document) { DeletesObject = _isDeleted, RestsOnExpired = _hadExpired };
        for (var i = 0; i < _staged.Count; i++)
            change.Add(_staged[i]);
        if (limits.TooLarge(Document.Key, largest: 0, change.Bytes, change.PartCount) is { } excess)
            throw excess;
        return ObjectTooLargeException.Of(Document.Key, BytesAfter(change), _count, options) is { } tooLarge ? throw tooLarge : change;
    }

    /// <summary>Ends the editor when its function has returned.</summary>
    public void Close()
    {
        _document = null;
        _staged.Clear();
        _isDeleted = _hadExpired = _deletes = false;
        _names = null;
    }

    /// <summary>The sweep's change: deletes the object if it had expired by a given time.</summary>
    public bool DeleteIfExpired(DateTimeOffset at)
    {
        var isExpired = expiry!.HasExpired(Document, Document.Parts.Find(string.Empty), at);
        if (isExpired)
            Delete();
        return isExpired;
    }

    private long BytesAfter(Change change)
    {
        if (_isDeleted)
            return change.Bytes;
        var bytes = Document.Bytes + change.Bytes;
        for (var part = change.FirstPart; part is not null; part = part.NextPart)
            bytes -= Document.Parts.Find(part.Name.Text)?.Size ?? 0;
        return bytes;
    }

    private Part? Find(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (_staged.Find(name) is { } staged)
            return staged.IsRemoval ? null : staged;
        return _isDeleted ? null : Document.Parts.Find(name);
    }

    private PartNames MergeNames()
    {
        var names = new List<string>(_count);
        var old = _isDeleted ? 0 : Document.Parts.Count;
        for (int i = 0, j = 0; i < old || j < _staged.Count;)
        {
            var order = i == old ? 1 : j == _staged.Count ? -1 : Document.Parts[i].Name.CompareTo(_staged[j].Name);
            if (order < 0)
                names.Add(Document.Parts[i].Name.Text);
            else if (!_staged[j].IsRemoval)
                names.Add(_staged[j].Name.Text);
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }

        return new PartNames([.. names]);
    }
}
