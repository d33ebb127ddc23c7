namespace Stout.Documents;

/// <summary>The document's present parts, as a reading function sees them. The function sees no parts of an expired object.</summary>
internal sealed class DocumentReader<T>(PartCodec<T> codec, Document document, bool hasExpired) : DocumentView<T>
    where T : class
{
    private Document? _document = document;

    public override bool Exists => Parts.Count > 0;

    public override T? this[string name] => Parts.Find(name) is { } part ? codec.Read(Document, part) : null;

    private protected override PartNames NamesNow => Parts.Names;

    /// <summary>The document, until the function returns.</summary>
    public Document Document => _document ?? throw new InvalidOperationException("The view can't be used after its function has returned.");

    private PartTable Parts => Document is { } open && !hasExpired ? open.Parts : PartTable.Empty;

    public override int? SizeOf(string name) => Parts.Find(name)?.Size;

    /// <summary>Ends the view when its function has returned.</summary>
    public void Close() => _document = null;
}
