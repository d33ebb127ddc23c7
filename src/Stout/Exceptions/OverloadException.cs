namespace Stout;

/// <summary>A load bound is reached. Nothing was changed; try again after <see cref="RetryAfter"/>.</summary>
public sealed class OverloadException : StoutException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="retryAfter">The time that a client should wait before a retry.</param>
    public OverloadException(TimeSpan retryAfter)
        : base("More changes are waiting to become durable than the options allow.")
    {
        RetryAfter = retryAfter;
    }

    /// <summary>The time that a client should wait before a retry.</summary>
    public TimeSpan RetryAfter { get; }
}
