using System.Net.ServerSentEvents;
using SectionedDocuments.Figures;

namespace SectionedDocuments.Endpoints;

/// <summary>The service's figures as server-sent events.</summary>
internal static class EventsEndpoint
{
    /// <summary>Soon enough for a person that looks on while the service restarts.</summary>
    private static readonly TimeSpan ReconnectAfter = TimeSpan.FromSeconds(1);

    // A stream that went on would keep the server from stopping; that its client has gone, the answer itself sees.
    public static void MapEvents(this WebApplication app) => app
        .MapGet("/events", (LiveFigures figures, IHostApplicationLifetime lifetime) => TypedResults.ServerSentEvents(
            figures.WatchAsync(lifetime.ApplicationStopping)
                .Select(current => new SseItem<ServiceFigures>(current) { ReconnectionInterval = ReconnectAfter })))
        .WithSummary("The service's figures, four times a second, as server-sent events");
}
