using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Configuration;

namespace ServiceUnderTest;

/// <summary>
/// Bounds the service's capacity by timers instead of the processor: each request for a document holds one of the slots for a fixed time. Requests without a
/// slot wait in order. So several services on one machine do not slow each other.
/// </summary>
internal sealed class Slots(SemaphoreSlim slots, TimeSpan time) : IStartupFilter
{
    /// <summary>The slots of the settings <c>Test:Slots</c> and <c>Test:SlotMilliseconds</c>; null without them.</summary>
    public static Slots? Of(IConfiguration configuration) => configuration["Test:Slots"] is { Length: > 0 } count
        ? new Slots(new SemaphoreSlim(int.Parse(count, CultureInfo.InvariantCulture)), TimeSpan.FromMilliseconds(double.Parse(configuration["Test:SlotMilliseconds"]!, CultureInfo.InvariantCulture)))
        : null;

    public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => app =>
    {
        app.Use(PassAsync);
        next(app);
    };

    private async Task PassAsync(HttpContext context, RequestDelegate next)
    {
        if (context.Request.Path.StartsWithSegments("/documents", StringComparison.Ordinal))
        {
            await slots.WaitAsync(context.RequestAborted);
            try
            {
                await Task.Delay(time, context.RequestAborted);
            }
            finally
            {
                slots.Release();
            }
        }

        await next(context);
    }
}
