using Microsoft.Extensions.Options;

namespace Stout.Hosting;

/// <summary>The thresholds of the health check, in the section <c>Health</c> of the Stout's section.</summary>
public sealed record StoutHealthOptions
{
    /// <summary>The age of the oldest undurable change at which the health becomes degraded. 1 ms to 1 day. Default: 5 s.</summary>
    [TimeRange("00:00:00.001", "1.00:00:00")]
    public TimeSpan DegradedAge { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The age of the oldest undurable change at which the health becomes unhealthy. From <see cref="DegradedAge"/> to 1 day. Default: 15 s.</summary>
    [TimeRange("00:00:00.001", "1.00:00:00")]
    public TimeSpan UnhealthyAge { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>The number of consecutive store requests without an answer at which the health becomes degraded. 1 or more. Default: 3.</summary>
    [AtLeast(1)]
    public int DegradedFailures { get; set; } = 3;

    /// <summary>
    /// The number of consecutive store requests without an answer at which the health becomes unhealthy. <see cref="DegradedFailures"/> or more. Default: 10.
    /// </summary>
    [AtLeast(1)]
    public int UnhealthyFailures { get; set; } = 10;

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new StoutHealthOptionsValidator(), this);
        // Attributes cannot compare two options.
        if (UnhealthyAge < DegradedAge)
            throw new InvalidOptionException(nameof(UnhealthyAge), $"it must be {nameof(DegradedAge)} or more");
        if (UnhealthyFailures < DegradedFailures)
            throw new InvalidOptionException(nameof(UnhealthyFailures), $"it must be {nameof(DegradedFailures)} or more");
    }
}

[OptionsValidator]
internal sealed partial class StoutHealthOptionsValidator : IValidateOptions<StoutHealthOptions>;
