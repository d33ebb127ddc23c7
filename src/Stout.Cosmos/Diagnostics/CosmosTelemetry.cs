using Stout.Diagnostics;

namespace Stout.Cosmos.Diagnostics;

/// <summary>The names of what this package adds to Stout's meter, <see cref="StoutTelemetry.MeterName"/>, and to its logs.</summary>
public static class CosmosTelemetry
{
    /// <summary>
    /// Histogram, {request_unit}: what each request to Cosmos DB was charged; its sum is what was consumed. OpenTelemetry's name for it. By
    /// <see cref="StoutTelemetry.Tags.Client"/>, <see cref="StoutTelemetry.Tags.Partition"/> and <see cref="StoutTelemetry.Tags.Operation"/>:
    /// write, read or sweep.
    /// </summary>
    public const string RequestCharge = "azure.cosmosdb.client.operation.request_charge";

    /// <summary>The id of the log event, category "Stout.Cosmos", that warns of logical partitions that become full. A warning.</summary>
    public const int PartitionsFillUp = 1;

    /// <summary>The id of the log event that the sweeper has failed, and goes on later. Information.</summary>
    public const int SweepFailed = 2;
}
