using System.Net;
using System.Net.Sockets;
using System.Threading.RateLimiting;
using SectionedDocuments.Problems;

namespace SectionedDocuments.Hosting;

/// <summary>
/// Limits of one client: the requests per second, with a burst, and the concurrent requests. A client is an IPv4 address, or the first 64 bits of an
/// IPv6 address, which belong to one network. Health checks are not counted.
/// </summary>
internal static class ClientLimits
{
    private static readonly TimeSpan RefillPeriod = TimeSpan.FromMilliseconds(100);

    public static void AddClientLimits(this IServiceCollection services, ServiceOptions options) => services.AddRateLimiter(limiter =>
    {
        limiter.GlobalLimiter = options.RequestsPerSecond == 0
            ? PartitionedRateLimiter.Create<HttpContext, string>(static _ => RateLimitPartition.GetNoLimiter(""))
            : PartitionedRateLimiter.CreateChained(ByRate(options), ByConcurrency(options));
        limiter.OnRejected = static (rejected, _) =>
        {
            rejected.HttpContext.Response.Headers.RetryAfter = "1";
            return new ValueTask(ProblemType.TooManyRequests.Result().ExecuteAsync(rejected.HttpContext));
        };
    });

    private static PartitionedRateLimiter<HttpContext> ByRate(ServiceOptions options) => Limit(client => RateLimitPartition.GetTokenBucketLimiter(client, _ => new TokenBucketRateLimiterOptions
    {
        TokenLimit = Math.Max(options.RequestBurst, PerPeriod(options)),
        TokensPerPeriod = PerPeriod(options),
        ReplenishmentPeriod = RefillPeriod,
        AutoReplenishment = true,
    }));

    private static PartitionedRateLimiter<HttpContext> ByConcurrency(ServiceOptions options) => Limit(client => RateLimitPartition.GetConcurrencyLimiter(client, _ => new ConcurrencyLimiterOptions
    {
        PermitLimit = options.RequestsAtOnce,
    }));

    private static PartitionedRateLimiter<HttpContext> Limit(Func<string, RateLimitPartition<string>> limit) => PartitionedRateLimiter.Create<HttpContext, string>(
        context => context.Request.Path.StartsWithSegments("/health", StringComparison.OrdinalIgnoreCase)
            ? RateLimitPartition.GetNoLimiter("health")
            : limit(ClientOf(context.Connection.RemoteIpAddress)));

    private static int PerPeriod(ServiceOptions options) => Math.Max(1, (int)(options.RequestsPerSecond * RefillPeriod.TotalSeconds));

    private static string ClientOf(IPAddress? address)
    {
        if (address is null)
            return "local";
        if (address.IsIPv4MappedToIPv6)
            address = address.MapToIPv4();
        return address.AddressFamily == AddressFamily.InterNetworkV6 ? Convert.ToHexString(address.GetAddressBytes().AsSpan(0, 8)) : address.ToString();
    }
}
