using SectionedDocuments.Hosting;

namespace SectionedDocuments.Endpoints;

/// <summary>Routes that stall and release the store, and that begin and end many writers. They exist in development only.</summary>
internal static class DevelopmentEndpoints
{
    public static void MapDevelopment(this WebApplication app)
    {
        if (app.Services.GetService<StoreStall>() is not { } stall || app.Services.GetService<DevelopmentWriters>() is not { } writers)
            return;

        app.Lifetime.ApplicationStopping.Register(writers.End);
        app.Lifetime.ApplicationStopping.Register(stall.End); // A stop drains, and would wait for a stalled store.
        app.MapPut("/development/stall", () => Do(stall.Begin)).ExcludeFromDescription();
        app.MapDelete("/development/stall", () => Do(stall.End)).ExcludeFromDescription();
        app.MapPut("/development/writers", () => Do(writers.Begin)).ExcludeFromDescription();
        app.MapDelete("/development/writers", () => Do(writers.End)).ExcludeFromDescription();
    }

    private static IResult Do(Action action)
    {
        action();
        return Results.NoContent();
    }
}
