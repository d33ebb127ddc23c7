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
        Value = value;
        Allowed = allowed;
    }

    /// <summary>The option's name, as in configuration: with the sections that it stands in, as far as they are known, and ':' between.</summary>
    public string Option { get; }

    /// <summary>What it was set to; null if it was not set.</summary>
    public object? Value { get; }

    /// <summary>What is allowed.</summary>
    public string Allowed { get; }

    /// <summary>Checks that an option lies in its range. NaN lies in no range.</summary>
    /// <param name="option">The option's name.</param>
    /// <param name="value">What it is set to.</param>
    /// <param name="least">The least that is allowed.</param>
    /// <param name="most">The most that is allowed.</param>
    /// <exception cref="InvalidOptionException">It does not.</exception>
    public static void ThrowUnlessBetween<T>(string option, T value, T least, T most)
        where T : IComparable<T>
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value.CompareTo(least) < 0 || value.CompareTo(most) > 0)
            throw new InvalidOptionException(option, value, $"it must lie between {least} and {most}");
    }

    /// <summary>Checks that an option is not too small.</summary>
    /// <param name="option">The option's name.</param>
    /// <param name="value">What it is set to.</param>
    /// <param name="least">The least that is allowed.</param>
    /// <exception cref="InvalidOptionException">It is smaller.</exception>
    public static void ThrowUnlessAtLeast<T>(string option, T value, T least)
        where T : IComparable<T>
    {
        ArgumentNullException.ThrowIfNull(value);
        if (value.CompareTo(least) < 0)
            throw new InvalidOptionException(option, value, $"it must be {least} or more");
    }

    /// <summary>Checks options that stand in a section, so that the error names their full path.</summary>
    /// <param name="section">The section's name or path.</param>
    /// <param name="check">Throws this exception for an option that is out of its range.</param>
    /// <exception cref="InvalidOptionException">What <paramref name="check"/> has thrown, with the section before the option's name.</exception>
    public static void Under(string section, Action check)
    {
        ArgumentNullException.ThrowIfNull(check);
        try
        {
            check();
        }
        catch (InvalidOptionException error)
        {
            throw new InvalidOptionException($"{section}:{error.Option}", error.Value, error.Allowed);
        }
    }
}
