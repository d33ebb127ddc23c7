namespace Stout;

/// <summary>How a message came to be released.</summary>
/// <param name="Failure">Null: every change that the message may have seen is durable. Otherwise why that will not be.</param>
public readonly record struct MessageRelease(StoutException? Failure)
{
    /// <summary>Whether every change that the message may have seen is durable.</summary>
    public bool IsSafe => Failure is null;
}
