using SectionedDocuments.Tests.Processes;

namespace Samples.Tests.Orleans;

/// <summary>Silos on one database, each in its own process.</summary>
internal sealed class SiloCluster : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly List<RunningService> _silos = [];

    public IReadOnlyList<RunningService> Silos => _silos;

    /// <summary>Starts silos.</summary>
    public static async Task<SiloCluster> StartAsync(int silos, string database, params string[] arguments)
    {
        var cluster = new SiloCluster();
        try
        {
            for (var silo = 0; silo < silos; silo++)
                cluster._silos.Add(await StartSiloAsync(cluster._folder, ["--ConnectionStrings:Documents=" + database, .. arguments]));
            return cluster;
        }
        catch
        {
            cluster.Dispose();
            throw;
        }
    }

    /// <summary>Starts one silo. Without a database among the arguments it does not join a cluster.</summary>
    public static Task<RunningService> StartSiloAsync(TemporaryFolder folder, params IEnumerable<string> arguments) => RunningService.StartCommandAsync(
        folder, RunningProgram.Dotnet(Programs.OrleansDocuments, [.. RunningService.Defaults(["--OrleansDocuments:SiloPort=0", .. arguments])]));

    /// <summary>Sends a request to a silo, and once more, to the next one, if the first one is gone.</summary>
    public async Task<HttpResponseMessage> SendAsync(int silo, Func<HttpClient, Task<HttpResponseMessage>> send)
    {
        try
        {
            return await send(_silos[silo % _silos.Count].Http);
        }
        catch (HttpRequestException)
        {
            return await send(_silos[(silo + 1) % _silos.Count].Http);
        }
    }

    /// <summary>The silo that has an address.</summary>
    public async Task<RunningService> FindAsync(string address)
    {
        foreach (var silo in _silos)
        {
            if ((await Place.OfAsync(silo, "found")).AskedSilo == address)
                return silo;
        }

        throw new InvalidOperationException($"No silo has the address {address}.");
    }

    /// <summary>Ends the process of a silo that has been killed or stopped, and forgets the silo.</summary>
    public void Remove(RunningService silo)
    {
        _silos.Remove(silo);
        silo.Dispose();
    }

    public void Dispose()
    {
        foreach (var silo in _silos)
            silo.Dispose();
        _folder.Dispose();
    }
}
