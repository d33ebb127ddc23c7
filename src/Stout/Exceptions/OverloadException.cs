namespace Stout;

/// <summary>Too much is undurable already. Nothing was changed; try again after <see cref="RetryAfter"/>.</summary>
public sealed class OverloadException : StoutException
{
    /// <summary>Reports a call that a bound of the options holds back.</summary>
    /// <param name="retryAfter">How long a client should wait before it tries again.</param>
    public OverloadException(TimeSpan retryAfter)
        : base("More changes are waiting to become durable than the options allow.")
    {
        RetryAfter = retryAfter;
    }

    /// <summary>How long a client should wait before it tries again.</summary>
    public TimeSpan RetryAfter { get; }
}
