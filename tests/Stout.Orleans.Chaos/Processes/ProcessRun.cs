using Stout.Tests.Shared;

namespace Stout.Orleans.Chaos.Processes;

/// <summary>A run on silo processes and a database server of its own.</summary>
internal static class ProcessRun
{
    public static async Task<ChaosReport> RunAsync(ChaosOptions options, int silos = 3)
    {
        var folder = Directory.CreateTempSubdirectory("stout-chaos-").FullName;
        var server = new ServerScript("postgres", Path.Combine(folder, "server"));
        try
        {
            await using var cluster = new ProcessCluster(server, (await server.StartAsync()).Trim(), silos);
            return await ChaosRun.RunAsync(cluster, options);
        }
        finally
        {
            await server.StopAsync();
            Directory.Delete(folder, recursive: true);
        }
    }
}
