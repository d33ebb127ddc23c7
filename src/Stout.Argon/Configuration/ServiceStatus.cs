namespace Stout.Argon.Configuration;

/// <summary>
/// Whether a service keeps the promised throughput: R × its share of the throughput that it would have alone on the server. R is
/// <see cref="ArgonOptions.Insulation"/> (the paper, section 3.2).
/// </summary>
public enum ServiceStatus
{
    /// <summary>The service is new or has changed its access pattern. It uses spare cache while its profile is built.</summary>
    Trial,

    /// <summary>The service has enough cache to keep the promised throughput.</summary>
    Insulated,

    /// <summary>The cache is too small for the promised throughput: the service gets its share of disk time, and spare cache.</summary>
    BestEffort,

    /// <summary>
    /// The service was in a trial and has sent no request for the length of a trial. It has the least partition; its next request begins a new trial.
    /// </summary>
    Idle,
}
