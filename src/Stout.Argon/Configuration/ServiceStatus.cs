namespace Stout.Argon.Configuration;

/// <summary>The state of the promise to a service: R × its share of the throughput that it has alone (the paper, section 3.2).</summary>
public enum ServiceStatus
{
    /// <summary>The service is new or has changed its pattern. It uses spare cache while its profile is built.</summary>
    Trial,

    /// <summary>The service has enough cache for the promise.</summary>
    Insulated,

    /// <summary>The cache is too small for the promise: the service gets its share of disk time, and spare cache.</summary>
    BestEffort,
}
