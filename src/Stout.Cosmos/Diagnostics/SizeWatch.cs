using System.Globalization;
using Microsoft.Azure.Cosmos;
using Microsoft.Extensions.Logging;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Diagnostics;

/// <summary>
/// Warns before logical partitions are full. The service reports a container's size, but not a logical partition's. The hash spreads keys evenly, so
/// an equal share of the container's size is a fair estimate.
/// </summary>
internal sealed class SizeWatch(Container container, int index, int partitions, string client, ILogger logger)
{
    // The limit of a logical partition is 20 GB. A partition may be above the average, and operators need time to act.
    private const double WarnAtGigabytes = 14;
    private const string UsageHeader = "x-ms-resource-usage";
    private const string SizeName = "collectionSize=";

    /// <summary>The time between two checks.</summary>
    public static readonly TimeSpan Period = TimeSpan.FromHours(1);

    /// <summary>Checks once. A service without the header, such as the emulator, is not checked.</summary>
    /// <exception cref="StoreException">The service refused the request.</exception>
    public async ValueTask LookAsync(CancellationToken cancellationToken)
    {
        using var response = await container
            .ReadContainerStreamAsync(new ContainerRequestOptions { PopulateQuotaInfo = true }, cancellationToken)
            .ConfigureAwait(false);
        if (!response.IsSuccessStatusCode)
            throw CosmosErrors.Classify(response);
        if (!response.Headers.TryGetValue(UsageHeader, out var usage) || KilobytesOf(usage) is not { } kilobytes)
            return;
        var gigabytes = kilobytes / (1024.0 * 1024.0) / partitions;
        if (gigabytes >= WarnAtGigabytes)
            logger.PartitionsFillUp(client, index, gigabytes, partitions);
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
