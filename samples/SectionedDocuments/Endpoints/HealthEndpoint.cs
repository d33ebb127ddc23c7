using Stout;
using Stout.Documents;

namespace SectionedDocuments.Endpoints;

/// <summary>How the service is.</summary>
/// <param name="Status">"ok", or "store-failing" while a lane can't reach its store or gets no certain answers.</param>
/// <param name="Statistics">What Stout counts.</param>
internal sealed record Health(string Status, StoutStatistics Statistics);

/// <summary>Whether the process runs.</summary>
/// <param name="Status">"ok"</param>
internal sealed record Liveness(string Status);

/// <summary>For orchestrators, load balancers (200 or 503) and people.</summary>
internal static class HealthEndpoint
{
    public static void MapHealth(this WebApplication app)
    {
        // A store's trouble is no reason to restart a process that holds changes for it.
        app.MapGet("/health/live", () => new Liveness("ok")).WithSummary("Whether the process runs");
        foreach (var route in (string[])["/health/ready", "/health"])
        {
            app.MapGet(route, Ready)
                .WithSummary("Whether the service can make changes durable")
                .Produces<Health>()
                .Produces<Health>(StatusCodes.Status503ServiceUnavailable);
        }
    }

    private static IResult Ready(DocumentStore store)
    {
        var statistics = store.GetStatistics();
        return statistics.StoreFailing
            ? Results.Json(new Health("store-failing", statistics), statusCode: StatusCodes.Status503ServiceUnavailable)
            : Results.Ok(new Health("ok", statistics));
    }
}
