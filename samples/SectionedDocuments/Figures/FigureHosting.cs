using Microsoft.Extensions.DependencyInjection.Extensions;

namespace SectionedDocuments.Figures;

internal static class FigureHosting
{
    public static void AddFigures(this IServiceCollection services)
    {
        services.TryAddSingleton(TimeProvider.System);
        services.AddSingleton<RequestRecorder>();
        services.AddSingleton<LiveFigures>();
    }

    /// <summary>Times the requests for documents, but not those for the page and its events.</summary>
    public static void UseRequestRecorder(this WebApplication app)
    {
        var recorder = app.Services.GetRequiredService<RequestRecorder>();
        app.Use((context, next) => context.Request.Path.StartsWithSegments("/documents", StringComparison.Ordinal)
            ? recorder.RecordAsync(context, next)
            : next(context));
    }
}
