namespace Stout;

/// <summary>What happened to one key: the root of the errors that fail everything which waits for it.</summary>
public abstract class KeyException : StoutException
{
    private protected KeyException(PartitionKey key, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        Key = key;
    }

    /// <summary>The key concerned.</summary>
    public PartitionKey Key { get; }
}

/// <summary>
/// The changes are certainly not in the store and have been forgotten. Fill the key again to see what the store holds,
/// then decide whether to make the change again.
/// </summary>
public class NotAppliedException : KeyException
{
    internal NotAppliedException(PartitionKey key, NotAppliedReason reason, string message, Exception? innerException = null)
        : base(key, message, innerException)
    {
        Reason = reason;
    }

    internal NotAppliedException(PartitionKey key, NotAppliedReason reason, Exception? innerException = null)
        : this(key, reason, Describe(reason), innerException)
    {
    }

    /// <summary>Why the changes were not applied.</summary>
    public NotAppliedReason Reason { get; }

    private static string Describe(NotAppliedReason reason) => reason switch
    {
        NotAppliedReason.StoreUnreachable => "The change was not applied: the store could not be reached for as long as the options allow.",
        NotAppliedReason.NotSentInTime => "The change was not applied: it could not be sent to the store for as long as the options allow.",
        NotAppliedReason.StoreRefused => "The change was not applied: the store refused it.",
        NotAppliedReason.SerializationFailed => "The change was not applied: the application's Serialize callback failed.",
        NotAppliedReason.SerializationTimedOut => "The change was not applied: the application's Serialize callback did not end in time.",
        NotAppliedReason.TooLarge => "The change was not applied: it is larger than the store can commit for one key.",
        NotAppliedReason.Conflict => "The change was not applied: the store holds a state of the key that this server has not written.",
        NotAppliedReason.Fenced => "The change was not applied: a newer owner has claimed the key.",
        NotAppliedReason.KeyBusy => "The change was not applied: something held the key in the store for as long as the options allow.",
        _ => "The change was not applied: Stout was stopped before it could be sent.",
    };
}

/// <summary>Why changes were not applied.</summary>
public enum NotAppliedReason
{
    /// <summary>The store could not be reached within <see cref="StoutOptions.GiveUpAfter"/>; nothing was sent.</summary>
    StoreUnreachable,

    /// <summary>The store answered that it will not do it (disk full, permission, a constraint); see the inner exception.</summary>
    StoreRefused,

    /// <summary>The application's Serialize callback threw, or left a part that it was asked for neither written, deleted nor left.</summary>
    SerializationFailed,

    /// <summary>The application's Serialize callback did not complete within <see cref="StoutOptions.CallbackTimeout"/>.</summary>
    SerializationTimedOut,

    /// <summary>One key's changes exceed what the store can commit at once; see <see cref="ChangeTooLargeException"/>.</summary>
    TooLarge,

    /// <summary>Someone else has written the key; see <see cref="ConflictException"/>.</summary>
    Conflict,

    /// <summary>A newer owner has claimed the key; see <see cref="FencedException"/>.</summary>
    Fenced,

    /// <summary>Stout was stopped, by a shutdown that could not wait, before the change was sent.</summary>
    Stopped,

    /// <summary>
    /// Something held this key in the store, such as another transaction's lock, for <see cref="StoutOptions.GiveUpAfter"/>; see the inner
    /// exception.
    /// </summary>
    KeyBusy,

    /// <summary>
    /// The store could be reached, and yet the change could not be sent within <see cref="StoutOptions.GiveUpAfter"/>: the store refused
    /// requests for overload, did not answer them, or answered too slowly for so many. Nothing was sent.
    /// </summary>
    NotSentInTime,
}

/// <summary>Someone else has written the key since it was filled. Fill again, then make the change on what is there.</summary>
public sealed class ConflictException : NotAppliedException
{
    internal ConflictException(PartitionKey key)
        : base(key, NotAppliedReason.Conflict)
    {
    }
}

/// <summary>This server no longer owns the key: an owner of a larger epoch has claimed it. Send the request to that owner.</summary>
public sealed class FencedException : NotAppliedException
{
    internal FencedException(PartitionKey key)
        : base(key, NotAppliedReason.Fenced)
    {
    }
}

/// <summary>One change of a key is larger than its store can commit at once. Make it smaller, or split the object into parts.</summary>
public sealed class ChangeTooLargeException : NotAppliedException
{
    internal ChangeTooLargeException(PartitionKey key, long size, long limit, ChangeLimit kind)
        : base(key, NotAppliedReason.TooLarge, $"The change was not applied: {Subject(kind)} {size}, and the store allows {limit}.")
    {
        Size = size;
        Limit = limit;
        Kind = kind;
    }

    /// <summary>The change's size, in the unit of <see cref="Kind"/>.</summary>
    public long Size { get; }

    /// <summary>The greatest size that the store allows, in the same unit.</summary>
    public long Limit { get; }

    /// <summary>Which limit was exceeded.</summary>
    public ChangeLimit Kind { get; }

    private static string Subject(ChangeLimit kind) => kind switch
    {
        ChangeLimit.ValueBytes => "the bytes of its largest part are",
        ChangeLimit.ChangeSetBytes => "its bytes are",
        _ => "its parts are",
    };
}

/// <summary>The limits that a store puts on the changes of one key.</summary>
public enum ChangeLimit
{
    /// <summary>Bytes of one part.</summary>
    ValueBytes,

    /// <summary>Bytes of all parts that change together.</summary>
    ChangeSetBytes,

    /// <summary>Number of parts that change together.</summary>
    ChangeSetParts,
}

/// <summary>
/// The store may or may not hold the changes: it was asked, and no answer could be had. Fill the key again to see.
/// </summary>
public sealed class OutcomeUnknownException : KeyException
{
    internal OutcomeUnknownException(PartitionKey key, Exception? innerException = null)
        : base(key, "It is unknown whether the change was applied: it was sent, and no certain answer came back.", innerException)
    {
    }
}

/// <summary>The key could not be filled; the inner exception tells why. Nothing was changed; fill again later.</summary>
public sealed class FillFailedException : KeyException
{
    internal FillFailedException(PartitionKey key, Exception innerException)
        : base(key, "The key could not be filled: " + innerException.Message, innerException)
    {
    }
}

/// <summary>
/// The handle no longer works: its key has failed (the inner exception tells how), or the handle was closed. Nothing that is marked
/// or sent on it from now on is applied; what was marked before has fared as the inner exception says, and if that is an
/// <see cref="OutcomeUnknownException"/>, may be stored. Fill the key again for a new handle.
/// </summary>
public sealed class HandleClosedException : KeyException
{
    internal HandleClosedException(PartitionKey key, Exception? innerException = null)
        : base(key, "The handle no longer works: " + (innerException is null ? "it was closed." : "its key has failed."), innerException)
    {
    }
}
