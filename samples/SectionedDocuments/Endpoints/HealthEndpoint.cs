using SectionedDocuments.Hosting;
using Stout;

namespace SectionedDocuments.Endpoints;

/// <summary>How the service is.</summary>
/// <param name="Status">"ok", or "store-failing" while a lane can't reach its store or gets no certain answers.</param>
/// <param name="Statistics">What Stout counts.</param>
internal sealed record Health(string Status, StoutStatistics Statistics);

/// <summary>For load balancers (200 or 503) and for people.</summary>
internal static class HealthEndpoint
{
    public static void MapHealth(this WebApplication app) => app.MapGet("/health", (DocumentHost host) =>
    {
        var statistics = host.Statistics;
        return statistics.StoreFailing
            ? Results.Json(new Health("store-failing", statistics), statusCode: StatusCodes.Status503ServiceUnavailable)
            : Results.Ok(new Health("ok", statistics));
    });
}
