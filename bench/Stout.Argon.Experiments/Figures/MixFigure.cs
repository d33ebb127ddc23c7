using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Figures;

/// <summary>A figure of the paper: services that share a server, without and with insulation.</summary>
/// <param name="Name">The name on the command line.</param>
/// <param name="Title">The title.</param>
/// <param name="Paper">The paper's result.</param>
/// <param name="Server">The insulated server.</param>
/// <param name="Services">The services.</param>
internal sealed record MixFigure(string Name, string Title, string Paper, SimulatedServer Server, IReadOnlyList<SimulatedService> Services)
{
    private static readonly TimeSpan s_quick = TimeSpan.FromSeconds(45);

    /// <summary>Measures the services on one server: together, and each alone.</summary>
    public static IReadOnlyList<MixRow> Run(SimulatedServer server, IReadOnlyList<SimulatedService> services)
    {
        var together = SimulatedRun.Of(server, services);
        return [.. services.Select((service, i) => new MixRow(together[i], Alone(server, service)))];
    }

    /// <summary>Runs a service with the server to itself. The run is shorter for a service without reuse, which needs no filled cache.</summary>
    public static ServiceFigures Alone(SimulatedServer server, SimulatedService service)
    {
        if (service.Settles is { } settles)
            return SimulatedRun.Alone(server with { WarmUp = 2 * settles, Measured = 2 * settles }, service with { Weight = 1 });
        var quick = server.WarmUp < s_quick ? server.WarmUp : s_quick;
        return SimulatedRun.Alone(service.Reuses ? server : server with { WarmUp = quick, Measured = quick }, service with { Weight = 1 });
    }

    public IReadOnlyList<MixRow> Insulated() => Run(Server, Services);

    public IReadOnlyList<MixRow> Uninsulated() => Run(Server.Uninsulated(), Services);

    /// <summary>A service's share of its disk: its weight over the sum of the weights on that disk.</summary>
    public double Share(int service) =>
        Services[service].Weight / Services.Where(other => other.Disk == Services[service].Disk).Sum(other => other.Weight);
}
