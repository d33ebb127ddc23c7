namespace Stout;

/// <summary>Too much is undurable already. Nothing was changed; try again after <see cref="RetryAfter"/>.</summary>
public sealed class OverloadException : StoutException
{
    internal OverloadException(TimeSpan retryAfter)
        : base("More changes are waiting to become durable than the options allow.")
    {
        RetryAfter = retryAfter;
    }

    /// <summary>How long a client should wait before it tries again.</summary>
    public TimeSpan RetryAfter { get; }
}

/// <summary>Stout is stopping or has been stopped, and takes no more work. Nothing was changed.</summary>
public sealed class StoppedException : StoutException
{
    internal StoppedException()
        : base("Stout is stopping or has been stopped, and takes no more work.")
    {
    }
}

/// <summary>An option is out of its range.</summary>
public sealed class InvalidOptionException : StoutException
{
    /// <summary>Names the option, what it was set to, and what is allowed.</summary>
    public InvalidOptionException(string option, object? value, string allowed)
        : base($"The option {option} is {value ?? "not set"}; {allowed}.")
    {
        Option = option;
    }

    /// <summary>The option's name, as in configuration.</summary>
    public string Option { get; }
}
