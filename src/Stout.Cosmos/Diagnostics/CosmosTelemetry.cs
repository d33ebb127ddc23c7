using Stout.Diagnostics;

namespace Stout.Cosmos.Diagnostics;

/// <summary>The names of this package's additions to Stout's meter, <see cref="StoutTelemetry.MeterName"/>, and to its logs.</summary>
public static class CosmosTelemetry
{
    /// <summary>
    /// Histogram, {request_unit}: the charge of each request to Cosmos DB; the sum is the consumption. The name is OpenTelemetry's. The tags are <see
    /// cref="StoutTelemetry.Tags.Client"/>, <see cref="StoutTelemetry.Tags.Partition"/> and <see cref="StoutTelemetry.Tags.Operation"/>: write, read,
    /// claim, list, sweep or setup.
    /// </summary>
    public const string RequestCharge = "azure.cosmosdb.client.operation.request_charge";

    /// <summary>The id of the warning, category "Stout.Cosmos", that logical partitions are filling up.</summary>
    public const int PartitionsFillUp = 1;
}
