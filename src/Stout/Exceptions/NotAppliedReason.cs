namespace Stout;

/// <summary>The reasons why changes were not applied.</summary>
public enum NotAppliedReason
{
    /// <summary>The store could not be reached within <see cref="StoutOptions.UnreachableTimeout"/>; nothing was sent.</summary>
    StoreUnreachable,

    /// <summary>The store refused the change, for instance because of a full disk, a missing permission or a constraint; see the inner exception.</summary>
    StoreRefused,

    /// <summary>The application's Serialize callback threw, or did not answer for a requested part.</summary>
    SerializationFailed,

    /// <summary>The application's Serialize callback did not complete within <see cref="StoutOptions.CallbackTimeout"/>.</summary>
    SerializationTimedOut,

    /// <summary>The changes exceed the limits of one store request; see <see cref="ChangeTooLargeException"/>.</summary>
    TooLarge,

    /// <summary>Another client has written the key; see <see cref="ConflictException"/>.</summary>
    Conflict,

    /// <summary>The key has another owner; see <see cref="FencedException"/>.</summary>
    Fenced,

    /// <summary>Stout was stopped before the change was sent, by a shutdown with a time limit.</summary>
    Stopped,

    /// <summary>
    /// Something held this key in the store, such as another transaction's lock, for <see cref="StoutOptions.UnreachableTimeout"/>; see the inner
    /// exception.
    /// </summary>
    KeyBusy,

    /// <summary>
    /// The store was reachable, but the change could not be sent within <see cref="StoutOptions.UnreachableTimeout"/>. The store refused requests for
    /// overload, did not answer, or was too slow for the load. Nothing was sent.
    /// </summary>
    NotSentInTime,

    /// <summary>
    /// The time limit for an answer (<see cref="StoutOptions.AnswerWithin"/>) passed while the call waited for admission, for the object or for its lock. Its
    /// function's change was not made.
    /// </summary>
    NotAnsweredInTime,
}
