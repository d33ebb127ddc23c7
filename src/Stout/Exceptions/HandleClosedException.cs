namespace Stout;

/// <summary>
/// The handle no longer works: its key has failed (the inner exception tells how), or the handle was closed. Nothing that is marked
/// or sent on it from now on is applied; what was marked before has fared as the inner exception says, and if that is an
/// <see cref="OutcomeUnknownException"/>, may be stored. Fill the key again for a new handle.
/// </summary>
public sealed class HandleClosedException : KeyException
{
    /// <summary>Reports a handle that no longer works.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="innerException">How the key has failed; null where the handle was closed.</param>
    public HandleClosedException(PartitionKey key, Exception? innerException = null)
        : base(key, "The handle no longer works: " + (innerException is null ? "it was closed." : "its key has failed."), innerException)
    {
    }
}
