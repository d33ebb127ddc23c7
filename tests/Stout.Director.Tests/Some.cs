using Stout.Director.Layouts;
using Stout.Director.Loads;
using Stout.Director.Models;

namespace Stout.Director.Tests;

/// <summary>Small inputs for tests: servers that can do 1,000 visits/s, bins of 1 MB.</summary>
internal static class Some
{
    public const long Megabyte = 1_000_000;

    public static ServerType Type { get; } = new()
    {
        Name = "small",
        SteadyState = new SteadyStateModel { CostOfGet = 0.001, CostOfPut = 0.001, Trained = new LoadRange(2_000, 2_000) },
        Copies = new CopyDurationModel { Coefficients = [1, 0, 0, 0, 0, 0, 0], Scales = [1, 1, 1] },
        Memory = 100 * Megabyte,
    };

    /// <summary>A policy without smoothing, reserve and overprovisioning, so that planning uses the reported loads.</summary>
    public static DirectorPolicy Plain { get; } = new()
    {
        Forecast = ForecastKind.Smoothing,
        AlphaUp = 1,
        AlphaDown = 1,
        Overprovisioning = 0,
        Standbys = 0,
        Surge = 0,
        FillLimit = 1,
    };

    public static DirectorSettings Settings(int bins, DirectorPolicy? policy = null) => new(policy ?? Plain, [Type], bins);

    public static DirectorCore Core(int bins, DirectorPolicy? policy = null)
    {
        var core = new DirectorCore(Settings(bins, policy));
        core.Begin(TimeSpan.Zero, 1, []);
        return core;
    }

    /// <summary>A cluster of live servers 1 to n, each of which reports its share of the clients' rates.</summary>
    public static ClusterObservation Cluster(int servers, int[][] replicas, double[] gets, double[]? puts = null, int[]? silent = null, double leaseMinutes = 10, int fanOut = 2, long sequence = 1)
    {
        var live = Enumerable.Range(1, servers).ToList();
        var reports = live.Where(server => silent?.Contains(server) != true).Select(server => new ServerReport(server, sequence, TimeSpan.Zero,
        [
            .. Enumerable.Range(0, replicas.Length).Where(bin => replicas[bin].Contains(server))
                .Select(bin => new BinVisits(bin, gets[bin] * Math.Min(fanOut, replicas[bin].Length) / replicas[bin].Length, puts?[bin] ?? 0)),
        ]));
        return new ClusterObservation(
            new Layout(replicas, 1, 0),
            [.. live.Select(server => new ServerState(server, Type.Name, ServerPhase.Live, TimeSpan.FromMinutes(leaseMinutes)))],
            [],
            [.. reports],
            [.. Enumerable.Repeat(Megabyte, replicas.Length)]);
    }
}
