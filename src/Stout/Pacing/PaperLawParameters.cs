using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Pacing;

/// <summary>
/// Parameters of <see cref="PaperLaw"/>. The defaults are the paper's for SQL Server (tables 2 and 3); <see cref="PacificA"/> and <see cref="Sds"/> are the
/// paper's other two calibrations (section 5.6).
/// </summary>
public sealed record PaperLawParameters
{
    /// <summary>The paper's calibration for Microsoft SQL Server (tables 2 and 3).</summary>
    public static PaperLawParameters SqlServer => new();

    /// <summary>The paper's calibration for PacificA, a replicated store on a log (section 5.6).</summary>
    public static PaperLawParameters PacificA => new() { EwmaFactor = 1.0 / 32, Threshold = 0.7, Beta = 1.0 / 8 };

    /// <summary>The paper's calibration for SQL Data Services, a store without batches (section 5.6).</summary>
    public static PaperLawParameters Sds => new() { Threshold = 0.2, Beta = 1.0 / 4 };

    /// <summary>The weight of the newest sample in an exponentially weighted moving average (EWMA). 0.001 to 1. Default: 1/16.</summary>
    [Range(0.001, 1.0)]
    public double EwmaFactor { get; set; } = 1.0 / 16;

    /// <summary>
    /// The paper's <c>thresh</c>: the law backs off when performance falls below this share of the recent performance. 0 (never) to 1. Default: 0.85.
    /// </summary>
    [Range(0.0, 1.0)]
    public double Threshold { get; set; } = 0.85;

    /// <summary>The least number of requests per decision. 1 or more. Default: 10.</summary>
    [AtLeast(1)]
    public int MinRequests { get; set; } = 10;

    /// <summary>The paper's <c>MinLatencyFrac</c>: the least time per decision, as a share of the mean latency. 0 to 100. Default: 1/2.</summary>
    [Range(0.0, 100.0)]
    public double MinLatencyFraction { get; set; } = 1.0 / 2;

    /// <summary>The paper's α′: the back-off step α per millisecond of latency. 0 to 1. Default: 1/400.</summary>
    [Range(0.0, 1.0)]
    public double AlphaPerMillisecond { get; set; } = 1.0 / 400;

    /// <summary>The paper's α_max: the largest back-off step; 1/2 lengthens the interval by half. 0 to 10. Default: 1/2.</summary>
    [Range(0.0, 10.0)]
    public double MaxAlpha { get; set; } = 1.0 / 2;

    /// <summary>The paper's β: the weight of √interval in an acceleration. 0 to 1. Default: 1/10.</summary>
    [Range(0.0, 1.0)]
    public double Beta { get; set; } = 1.0 / 10;

    /// <summary>The first interval, between the shortest and the longest one. Default: 80 ms.</summary>
    [TimeRange("00:00:00.001", "00:01:00")]
    public TimeSpan InitialInterval { get; set; } = TimeSpan.FromMilliseconds(80);

    /// <summary>
    /// The shortest interval. 1 ms to 1 minute: accelerations approach 1 ms, and below 1 ms √interval would lengthen the interval. Default: 1 ms.
    /// </summary>
    [TimeRange("00:00:00.001", "00:01:00")]
    public TimeSpan MinInterval { get; set; } = TimeSpan.FromMilliseconds(1);

    /// <summary>The longest interval. From the shortest one to 1 minute. Default: 400 ms.</summary>
    [TimeRange("00:00:00.001", "00:01:00")]
    public TimeSpan MaxInterval { get; set; } = TimeSpan.FromMilliseconds(400);

    /// <summary>The most write requests in flight. 1 or more. Default: no limit, as in the paper.</summary>
    [AtLeast(1)]
    public int MaxInFlight { get; set; } = int.MaxValue;

    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new PaperLawParametersValidator(), this);
        // Attributes cannot compare two options.
        InvalidOptionException.ThrowUnlessAtLeast(nameof(MaxInterval), MaxInterval, MinInterval);
        InvalidOptionException.ThrowUnlessBetween(nameof(InitialInterval), InitialInterval, MinInterval, MaxInterval);
    }
}

[OptionsValidator]
internal sealed partial class PaperLawParametersValidator : IValidateOptions<PaperLawParameters>;
