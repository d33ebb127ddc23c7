using Microsoft.Extensions.Options;
using Stout;

namespace SectionedDocuments.Hosting;

/// <summary>Builds and runs the service, and reports the errors that end it.</summary>
internal static class ServiceRun
{
    /// <summary>Runs a service until it is told to stop.</summary>
    /// <returns>The process's exit code: 0 after a clean stop, 1 if the service could not start or not drain.</returns>
    public static async Task<int> RunAsync(string name, Func<WebApplication> create)
    {
        try
        {
            await using var app = create();
            await app.RunAsync();
            return 0;
        }
        catch (Exception error) when (error is StoutException or IOException or InvalidOperationException or FormatException or OperationCanceledException or OptionsValidationException)
        {
            await Console.Error.WriteLineAsync($"{name}: {error.Message}");
            return 1;
        }
    }

    /// <summary>Creates a builder that reads its settings from the program's folder. Relative paths of data begin at the current folder.</summary>
    public static WebApplicationBuilder CreateBuilder(string[] args, string defaultUrl)
    {
        var builder = WebApplication.CreateBuilder(new WebApplicationOptions { Args = args, ContentRootPath = AppContext.BaseDirectory });

        // Stout resolves relative paths against the content root. In the program's folder a clean build would remove the data.
        builder.Environment.ContentRootPath = Directory.GetCurrentDirectory();

        // The default is not in appsettings.json, where it would override ASPNETCORE_URLS.
        if (string.IsNullOrEmpty(builder.Configuration[WebHostDefaults.ServerUrlsKey]))
            builder.WebHost.UseUrls(defaultUrl);

        // RunAsync reports the errors of this category itself, in one line.
        builder.Logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.None);
        return builder;
    }
}
