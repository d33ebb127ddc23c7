namespace Stout;

/// <summary>
/// The store could not be asked whether the key still has the handle's owner, so the object in memory may be out of date. See the inner exception.
/// Nothing was changed, and the handle still works. Repeat the call later.
/// </summary>
public sealed class UnconfirmedException : KeyException
{
    /// <summary>Reports an ownership that could not be confirmed.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="innerException">The reason why the store could not be asked.</param>
    public UnconfirmedException(PartitionKey key, Exception innerException)
        : base(key, "The ownership of the key could not be confirmed: " + innerException.Message, innerException)
    {
    }
}
