using Stout.Lanes.Core;

namespace Stout.Paper;

/// <summary>One key of a serialization batch.</summary>
internal struct SerializationEntry
{
    public PendingWork Work;

    /// <summary>The requested parts, as a range of the batch's list.</summary>
    public int FirstAsked;

    /// <inheritdoc cref="FirstAsked"/>
    public int Asked;

    /// <summary>The number of requested parts that are neither written nor deleted yet.</summary>
    public int Unanswered;

    /// <summary>Whether the callback has written or deleted any part of the key.</summary>
    public bool IsAnswered;

    /// <summary>Whether the callback has deferred the key to a later batch.</summary>
    public bool IsDeferred;

    /// <summary>The error with which the callback failed the key.</summary>
    public Exception? Error;
}
