namespace Stout.Argon.Configuration;

/// <summary>The promise to a service now (the paper, section 3.2).</summary>
public enum ServiceStatus
{
    /// <summary>The service is new or has changed its pattern: it runs on spare cache while its profile is made.</summary>
    Trial,

    /// <summary>The service has the cache that its fraction needs.</summary>
    Insulated,

    /// <summary>The cache that its fraction needs is not there: the service gets its share of disk time, and the spare cache.</summary>
    BestEffort,
}
