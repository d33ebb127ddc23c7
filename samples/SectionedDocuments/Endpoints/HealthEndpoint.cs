using Stout;

namespace SectionedDocuments.Endpoints;

/// <summary>The state of the service.</summary>
/// <param name="Status">
/// "ok"; "store-failing" while a lane can't reach its store or gets no certain answers; "store-refusing" while a lane's store refuses every request.
/// </param>
/// <param name="Statistics">Stout's figures.</param>
internal sealed record Health(string Status, StoutStatistics Statistics);

/// <summary>Whether the process runs.</summary>
/// <param name="Status">"ok"</param>
internal sealed record Liveness(string Status);

/// <summary>Health checks for orchestrators, load balancers (200 or 503) and people.</summary>
internal static class HealthEndpoint
{
    public static void MapHealth(this WebApplication app)
    {
        // Liveness does not depend on the store: during a store's trouble the process holds changes, which a restart would lose.
        app.MapGet("/health/live", () => new Liveness("ok")).WithSummary("Whether the process runs");
        foreach (var route in (string[])["/health/ready", "/health"])
        {
            app.MapGet(route, Ready)
                .WithSummary("Whether the service can make changes durable")
                .Produces<Health>()
                .Produces<Health>(StatusCodes.Status503ServiceUnavailable);
        }
    }

    private static IResult Ready(IDocuments documents)
    {
        var statistics = documents.GetStatistics();
        var status = statistics.StoreRefusal is not null ? "store-refusing" : statistics.StoreFailing ? "store-failing" : "ok";
        return Results.Json(new Health(status, statistics), statusCode: status == "ok" ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable);
    }
}
