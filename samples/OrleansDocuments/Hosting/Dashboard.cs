using Orleans.Dashboard;

namespace OrleansDocuments.Hosting;

/// <summary>
/// Orleans' dashboard, in development only. The dashboard has no login, shows the states of grains, and needs more rights in the browser than the
/// documents' page.
/// </summary>
internal static class Dashboard
{
    public const string Path = "/dashboard";

    public static void UseDashboard(this WebApplication app)
    {
        if (!app.Environment.IsDevelopment())
            return;
        app.MapWhen(
            static context => context.Request.Path.StartsWithSegments(Path, StringComparison.Ordinal),
            static dashboard => dashboard.UseRouting().UseEndpoints(static endpoints => endpoints.MapOrleansDashboard(Path)));
    }
}
