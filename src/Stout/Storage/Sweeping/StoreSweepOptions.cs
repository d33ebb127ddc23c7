using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Storage;

/// <summary>How a store removes rows that no reader can reach any more. The same for every store.</summary>
public sealed record StoreSweepOptions
{
    /// <summary>
    /// How long after a sweep the next one begins: 1 second to 1 day, default 1 minute. Each store partition of each process sweeps by itself,
    /// and also as soon as its writes have left many dead rows.
    /// </summary>
    [TimeRange("00:00:01", "1.00:00:00")]
    public TimeSpan Interval { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>
    /// How long the header of a deleted key is kept, so that a late request can't bring the key back: 1 minute to 3,650 days, default
    /// 24 hours. It has to be longer than any request can live, and than the clocks of the service's machines differ.
    /// </summary>
    [TimeRange("00:01:00", "3650.00:00:00")]
    public TimeSpan Retention { get; set; } = TimeSpan.FromHours(24);

    /// <summary>
    /// The most rows that one transaction of the sweeper removes: 1 to 10,000. Null, the default, is the number that suits the store: SQLite
    /// 64, SQL Server 256, PostgreSQL 4,096, Azure Tables and Cosmos DB 100, which is also the most that these two take.
    /// </summary>
    [Range(1, 10_000)]
    public int? BatchSize { get; set; }

    /// <summary>Checks every option.</summary>
    /// <exception cref="InvalidOptionException">Names the first option that is out of its range, and the range.</exception>
    public void Validate() => InvalidOptionException.ThrowIfInvalid(new StoreSweepOptionsValidator(), this);
}

[OptionsValidator]
internal sealed partial class StoreSweepOptionsValidator : IValidateOptions<StoreSweepOptions>;
