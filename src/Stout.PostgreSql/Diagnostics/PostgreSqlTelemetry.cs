using Stout.Diagnostics;

namespace Stout.PostgreSql.Diagnostics;

/// <summary>The names of this package's additions to Stout's meter, <see cref="StoutTelemetry.MeterName"/>, and to its logs.</summary>
public static class PostgreSqlTelemetry
{
    /// <summary>
    /// Gauge, s: the age of the oldest transaction that keeps the space of removed rows in use, or 0; read once in <see
    /// cref="Storage.StoreSweepOptions.Interval"/>. The tags are <see cref="StoutTelemetry.Tags.Client"/> and <see cref="StoutTelemetry.Tags.Partition"/>.
    /// </summary>
    public const string SnapshotAge = "stout.postgresql.snapshot.age";

    /// <summary>
    /// The id of the event that the database's role does not see the transactions of other users, so that <see cref="SnapshotAge"/> lacks them. Its level is
    /// Information, its category "Stout.PostgreSql".
    /// </summary>
    public const int ActivityHidden = 1;
}
