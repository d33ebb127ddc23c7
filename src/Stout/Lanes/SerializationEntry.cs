namespace Stout.Lanes;

/// <summary>One key of a serialization batch.</summary>
internal struct SerializationEntry
{
    public PendingWork Work;

    /// <summary>The parts asked for: a run of the batch's list.</summary>
    public int FirstAsked;

    /// <inheritdoc cref="FirstAsked"/>
    public int Asked;

    /// <summary>Parts asked for that are neither written nor deleted yet.</summary>
    public int Unanswered;

    /// <summary>The parts written: a chain through the batch's list; −1 where there is none.</summary>
    public int FirstPart;

    /// <inheritdoc cref="FirstPart"/>
    public int LastPart;

    /// <summary>Whether the callback has written or deleted anything of the key.</summary>
    public bool IsAnswered;

    /// <summary>Whether the callback has left the key for a later batch.</summary>
    public bool IsDeferred;

    /// <summary>Why the callback has failed the key.</summary>
    public Exception? Error;
}

/// <summary>One part that the callback has written.</summary>
internal struct SerializedPart
{
    public SubKey SubKey;
    public int Start;
    public int Length;
    public int Next;
}
