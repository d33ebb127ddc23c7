using OrleansDocuments.Calls;
using OrleansDocuments.Hosting;
using SectionedDocuments.Endpoints;

namespace OrleansDocuments.Endpoints;

/// <summary>The place of a document's grain, and the silo that answers for it.</summary>
/// <param name="Silo">The address and port of the grain's silo.</param>
/// <param name="Epoch">The epoch of the activation's claim.</param>
/// <param name="Moves">The number of the document's changes that were made on another silo than the change before.</param>
/// <param name="Fencings">How many activations have found themselves fenced.</param>
/// <param name="AskedSilo">The address and port of the silo that answers the request.</param>
/// <param name="Dashboard">The path of Orleans' dashboard; null where there is no dashboard.</param>
internal sealed record GrainAnswer(string Silo, long Epoch, int Moves, int Fencings, string AskedSilo, string? Dashboard);

/// <summary>The endpoint that tells on which silo the grain of a document is.</summary>
internal static class GrainEndpoints
{
    public static void MapGrains(this WebApplication app)
    {
        var silo = app.Services.GetRequiredService<ILocalSiloDetails>();
        var dashboard = app.Environment.IsDevelopment() ? Dashboard.Path + "/" : null;
        app.MapGet("/grains/{id}", async (string id, GrainDocuments documents, CancellationToken aborted) =>
            {
                var place = await documents.LocateAsync(PathSegment.Id(id), aborted);
                return new GrainAnswer(place.Silo, place.Epoch, place.Moves, place.Fencings, silo.SiloAddress.Endpoint.ToString(), dashboard);
            })
            .Describe("Where the grain of a document lives");
    }
}
