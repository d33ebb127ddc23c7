namespace Stout.Documents;

/// <summary>
/// What one call changes of one object; then the message that waits until it is durable, for the caller and for everyone who
/// has read the object since.
/// </summary>
internal sealed class Change(Document document) : TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)
{
    public Document Document { get; } = document;

    /// <summary>Whether the whole object goes before the change's parts are set.</summary>
    public bool DeletesObject { get; init; }

    /// <summary>The first of the chain of changed parts.</summary>
    public Part? First { get; private set; }

    public int PartCount { get; private set; }

    public long Bytes { get; private set; }

    public void Add(Part part)
    {
        part.NextOfChange = First;
        First = part;
        PartCount++;
        Bytes += part.Size;
    }
}
