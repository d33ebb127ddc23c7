using System.Diagnostics.Metrics;
using Stout.Diagnostics;

namespace Stout.Cosmos.Diagnostics;

/// <summary>The request units charged for one proxy's requests.</summary>
internal sealed class RequestUnits
{
    private static readonly Meter Shared = new(Options);

    private readonly Histogram<double> _charges;
    private double _total;

    public RequestUnits(StoutDiagnostics diagnostics)
    {
        Client = diagnostics.ClientName;
        _charges = (diagnostics.MeterFactory?.Create(Options) ?? Shared)
            .CreateHistogram<double>(CosmosTelemetry.RequestCharge, "{request_unit}", "Request units that Cosmos DB charged for a request.");
    }

    public double Total => Volatile.Read(ref _total);

    public string Client { get; }

    private static MeterOptions Options => new(StoutTelemetry.MeterName) { Version = typeof(RequestUnits).Assembly.GetName().Version?.ToString(3) };

    public void Add(double charge, int partition, string operation)
    {
        if (charge <= 0)
            return;
        double before;
        do
            before = Volatile.Read(ref _total);
        while (Interlocked.CompareExchange(ref _total, before + charge, before) != before);
        try
        {
            if (_charges.Enabled)
            {
                _charges.Record(
                    charge,
                    new(StoutTelemetry.Tags.Client, Client),
                    new(StoutTelemetry.Tags.Partition, partition),
                    new(StoutTelemetry.Tags.Operation, operation));
            }
        }
        catch (Exception)
        {
            // A listener's exception must not make the outcome of a request unknown.
        }
    }
}
