namespace Stout;

/// <summary>The result of a message's wait.</summary>
/// <param name="Failure">Null if every change that the message may have seen is durable; otherwise the failure of those changes.</param>
public readonly record struct MessageRelease(StoutException? Failure)
{
    /// <summary>Whether every change that the message may have seen is durable.</summary>
    public bool IsSafe => Failure is null;
}
