namespace Stout;

/// <summary>Why changes were not applied.</summary>
public enum NotAppliedReason
{
    /// <summary>The store could not be reached within <see cref="StoutOptions.UnreachableTimeout"/>; nothing was sent.</summary>
    StoreUnreachable,

    /// <summary>The store answered that it will not do it (disk full, permission, a constraint); see the inner exception.</summary>
    StoreRefused,

    /// <summary>The application's Serialize callback threw, or left a part that it was asked for neither written, deleted nor left.</summary>
    SerializationFailed,

    /// <summary>The application's Serialize callback did not complete within <see cref="StoutOptions.CallbackTimeout"/>.</summary>
    SerializationTimedOut,

    /// <summary>One key's changes exceed what the store can commit at once; see <see cref="ChangeTooLargeException"/>.</summary>
    TooLarge,

    /// <summary>Another client has written the key; see <see cref="ConflictException"/>.</summary>
    Conflict,

    /// <summary>A newer owner has claimed the key; see <see cref="FencedException"/>.</summary>
    Fenced,

    /// <summary>Stout was stopped, by a shutdown that could not wait, before the change was sent.</summary>
    Stopped,

    /// <summary>
    /// Something held this key in the store, such as another transaction's lock, for <see cref="StoutOptions.UnreachableTimeout"/>; see the inner
    /// exception.
    /// </summary>
    KeyBusy,

    /// <summary>
    /// The store could be reached, and yet the change could not be sent within <see cref="StoutOptions.UnreachableTimeout"/>: the store refused
    /// requests for overload, did not answer them, or answered too slowly for so many. Nothing was sent.
    /// </summary>
    NotSentInTime,
}
