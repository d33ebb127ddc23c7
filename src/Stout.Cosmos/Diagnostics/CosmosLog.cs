using Microsoft.Extensions.Logging;

namespace Stout.Cosmos.Diagnostics;

/// <summary>The log messages. They contain no key and no value.</summary>
internal static partial class CosmosLog
{
    public const string Category = "Stout.Cosmos";

    [LoggerMessage(CosmosTelemetry.PartitionsFillUp, LogLevel.Warning,
        "Stout {Client}: container {Container} holds {Gigabytes:F1} GB for each of its {Partitions} store partitions on average. A logical partition ends at 20 GB.")]
    public static partial void PartitionsFillUp(this ILogger logger, string client, int container, double gigabytes, int partitions);
}
