using System.Net.ServerSentEvents;
using SectionedDocuments.Figures;

namespace SectionedDocuments.Endpoints;

/// <summary>The service's figures as server-sent events.</summary>
internal static class EventsEndpoint
{
    /// <summary>The browser's wait before it reconnects: short enough for a person that watches a restart of the service.</summary>
    private static readonly TimeSpan ReconnectAfter = TimeSpan.FromSeconds(1);

    // An open stream would keep the server from stopping, so the figures end when the service stops. If the client disconnects, ASP.NET ends the stream.
    public static void MapEvents(this WebApplication app) => app
        .MapGet("/events", (LiveFigures figures, IHostApplicationLifetime lifetime) => TypedResults.ServerSentEvents(
            figures.WatchAsync(lifetime.ApplicationStopping)
                .Select(current => new SseItem<ServiceFigures>(current) { ReconnectionInterval = ReconnectAfter })))
        .WithSummary("The service's figures, four times a second, as server-sent events");
}
