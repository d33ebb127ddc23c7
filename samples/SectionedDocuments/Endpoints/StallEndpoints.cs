using SectionedDocuments.Hosting;

namespace SectionedDocuments.Endpoints;

/// <summary>Stalls the store and lets it go on. In development only: elsewhere these routes don't exist.</summary>
internal static class StallEndpoints
{
    public static void MapStall(this WebApplication app)
    {
        if (app.Services.GetService<StoreStall>() is not { } stall)
            return;

        app.Lifetime.ApplicationStopping.Register(stall.End); // a stop drains, and would wait for the store
        app.MapPut("/development/stall", () => Do(stall.Begin)).ExcludeFromDescription();
        app.MapDelete("/development/stall", () => Do(stall.End)).ExcludeFromDescription();
    }

    private static IResult Do(Action action)
    {
        action();
        return Results.NoContent();
    }
}
