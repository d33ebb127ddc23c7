using System.Globalization;
using Microsoft.Azure.Cosmos;
using Microsoft.Extensions.Logging;

namespace Stout.Cosmos.Diagnostics;

/// <summary>
/// Warns before logical partitions are full. The service tells the size of a container to whoever reads its properties, and the size of a logical
/// partition to nobody; but the hash spreads the keys evenly, so that its part of the container is a fair estimate.
/// </summary>
internal sealed class SizeWatch(Container container, int index, int partitions, string client, ILogger logger)
{
    // Of 20. One partition may be above the average, and there has to be time left to do something.
    private const double WarnAtGigabytes = 14;
    private const string UsageHeader = "x-ms-resource-usage";
    private const string SizeName = "collectionSize=";

    private static readonly TimeSpan Period = TimeSpan.FromHours(1);

    /// <summary>Looks once.</summary>
    /// <returns>When to look again.</returns>
    public async Task<TimeSpan?> LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var response = await container
                .ReadContainerStreamAsync(new ContainerRequestOptions { PopulateQuotaInfo = true }, cancellationToken)
                .ConfigureAwait(false);
            if (response.IsSuccessStatusCode && response.Headers.TryGetValue(UsageHeader, out var usage) && KilobytesOf(usage) is { } kilobytes)
            {
                var gigabytes = kilobytes / (1024.0 * 1024.0) / partitions;
                if (gigabytes >= WarnAtGigabytes)
                    logger.PartitionsFillUp(client, index, gigabytes, partitions);
            }
        }
        catch (Exception error) when (error is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
        {
            // A store in trouble is the lanes' to report; the size is looked at again in an hour.
        }

        return Period;
    }

    private static long? KilobytesOf(string usage)
    {
        foreach (var part in usage.AsSpan().Split(';'))
        {
            var text = usage.AsSpan()[part].Trim();
            if (text.StartsWith(SizeName, StringComparison.OrdinalIgnoreCase)
                && long.TryParse(text[SizeName.Length..], NumberStyles.Integer, CultureInfo.InvariantCulture, out var kilobytes))
                return kilobytes;
        }

        return null;
    }
}
