using Microsoft.Extensions.Configuration.Json;
using Microsoft.Extensions.FileProviders;
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
        // The content root stays the current folder: Stout's relative paths begin there, and a clean build would remove data from the program's folder.
        var builder = WebApplication.CreateBuilder(args);
        var folder = new PhysicalFileProvider(AppContext.BaseDirectory);
        builder.Configuration.Sources.Insert(0, new JsonConfigurationSource { FileProvider = folder, Path = "appsettings.json" });
        builder.Configuration.Sources.Insert(1, new JsonConfigurationSource { FileProvider = folder, Path = $"appsettings.{builder.Environment.EnvironmentName}.json", Optional = true });

        // The default is not in appsettings.json, where it would override ASPNETCORE_URLS.
        if (string.IsNullOrEmpty(builder.Configuration[WebHostDefaults.ServerUrlsKey]))
            builder.WebHost.UseUrls(defaultUrl);

        // RunAsync reports the errors of this category itself, in one line.
        builder.Logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.None);
        return builder;
    }
}
