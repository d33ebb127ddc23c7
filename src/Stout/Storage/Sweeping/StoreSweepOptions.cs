using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Storage;

/// <summary>Options for sweeping: the removal of rows that no reader can reach. All stores use the same options.</summary>
public sealed record StoreSweepOptions
{
    /// <summary>
    /// The time between two sweeps: 1 second to 1 day, default 1 minute. Each process sweeps each store partition by itself, and also after its own
    /// writes have left many dead rows.
    /// </summary>
    [TimeRange("00:00:01", "1.00:00:00")]
    public TimeSpan Interval { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// The time for which the header of a deleted key is kept, so that a late request cannot restore the key. 1 minute to 3,650 days, default 24
    /// hours. It must exceed any request's lifetime and the clock differences between the service's machines.
    /// </summary>
    [TimeRange("00:01:00", "3650.00:00:00")]
    public TimeSpan Retention { get; set; } = TimeSpan.FromHours(24);

    /// <summary>
    /// The most rows that one sweep transaction removes: 1 to 10,000. The default, null, suits the store: SQLite 64, SQL Server 256, PostgreSQL
    /// 4,096, Azure Tables and Cosmos DB 100, which is also their maximum.
    /// </summary>
    [Range(1, 10_000)]
    public int? BatchSize { get; set; }

    /// <summary>Validates every option.</summary>
    /// <exception cref="InvalidOptionException">An option is out of its range. The message names the first one and its range.</exception>
    public void Validate() => InvalidOptionException.ThrowIfInvalid(new StoreSweepOptionsValidator(), this);
}

[OptionsValidator]
internal sealed partial class StoreSweepOptionsValidator : IValidateOptions<StoreSweepOptions>;
