namespace Stout;

/// <summary>
/// The handle has stopped working: its key has failed (see the inner exception), or the handle was closed. Later marks and messages have no effect.
/// Earlier changes failed as the inner exception says; after <see cref="OutcomeUnknownException"/> they may be stored. Fill the key again for a new
/// handle.
/// </summary>
public sealed class HandleClosedException : KeyException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="innerException">The failure of the key; null if the handle was closed.</param>
    public HandleClosedException(PartitionKey key, Exception? innerException = null)
        : base(key, "The handle no longer works: " + (innerException is null ? "it was closed." : "its key has failed."), innerException)
    {
    }
}
