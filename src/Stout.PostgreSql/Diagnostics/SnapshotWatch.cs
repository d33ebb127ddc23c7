using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using Stout.Diagnostics;

namespace Stout.PostgreSql.Diagnostics;

/// <summary>
/// Reports the age of the oldest snapshot of a database. Rows that were removed after it stay in the tables and indexes, so updates of a few hot objects
/// become several times slower within seconds.
/// </summary>
internal sealed class SnapshotWatch
{
    private static readonly Meter Shared = new(Options);

    private readonly Gauge<double> _age;
    private readonly ILogger _logger;
    private readonly string _client;
    private readonly int _partition;
    private bool _isHidden;

    public SnapshotWatch(StoutDiagnostics diagnostics, int partition)
    {
        _client = diagnostics.ClientName;
        _partition = partition;
        _logger = diagnostics.CreateLogger(PostgreSqlLog.Category);
        _age = (diagnostics.MeterFactory?.Create(Options) ?? Shared)
            .CreateGauge<double>(PostgreSqlTelemetry.SnapshotAge, "s", "Age of the oldest transaction that keeps the space of removed rows in use.");
    }

    private static MeterOptions Options => new(StoutTelemetry.MeterName) { Version = typeof(SnapshotWatch).Assembly.GetName().Version?.ToString(3) };

    /// <summary>Reports one measurement.</summary>
    /// <param name="age">The age; zero without such a transaction.</param>
    /// <param name="seesAll">Whether the role sees the transactions of all users.</param>
    public void Note(TimeSpan age, bool seesAll)
    {
        try
        {
            _age.Record(age.TotalSeconds, new(StoutTelemetry.Tags.Client, _client), new(StoutTelemetry.Tags.Partition, _partition));
        }
        catch (Exception)
        {
            // A listener's exception must not stop the sweeps.
        }

        if (!seesAll && !_isHidden)
            _logger.ActivityHidden(_client, _partition);
        _isHidden = !seesAll;
    }
}
