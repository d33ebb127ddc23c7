namespace Stout;

/// <summary>
/// The changes are certainly not in the store, and memory has dropped them. Fill the key again to see the stored state, then decide whether to repeat
/// the change.
/// </summary>
public class NotAppliedException : KeyException
{
    private protected NotAppliedException(PartitionKey key, NotAppliedReason reason, string message, Exception? innerException = null)
        : base(key, message, innerException)
    {
        Reason = reason;
    }

    /// <summary>Creates the exception. The constructor is public so that applications' tests can create the exception too.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="reason">The reason.</param>
    /// <param name="innerException">The error of the store or the application, if any.</param>
    public NotAppliedException(PartitionKey key, NotAppliedReason reason, Exception? innerException = null)
        : this(key, reason, Describe(reason), innerException)
    {
    }

    /// <summary>The reason.</summary>
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
        NotAppliedReason.Fenced => "The change was not applied: the key has another owner.",
        NotAppliedReason.NotAnsweredInTime => "The change was not applied: the time limit for an answer passed before it was made.",
        NotAppliedReason.KeyBusy => "The change was not applied: something held the key in the store for as long as the options allow.",
        _ => "The change was not applied: Stout was stopped before it could be sent.",
    };
}
