using System.Net;
using System.Text;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Experiments.Truth;

/// <summary>
/// Sends the requests of a load at the times of a Poisson process, whether or not earlier ones were answered, each to the servers of its bin. A latency begins
/// when its request is due. A request without an answer within the limit, or with an error, is slow.
/// </summary>
internal sealed class Clients : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(1);
    private static readonly byte[] Text = Encoding.UTF8.GetBytes(new string('x', 200));

    private readonly HttpClient _http = new(new SocketsHttpHandler { MaxConnectionsPerServer = 1_000 }) { Timeout = Limit };
    private readonly Func<int, bool, int, IReadOnlyList<Uri>> _serve;
    private readonly TimeProvider _time;
    private readonly Random _random;

    /// <param name="serve">The servers of a request: of a bin, whether it is a read, and a random number that chooses among several.</param>
    /// <param name="time">The time.</param>
    /// <param name="seed">The seed of the requests.</param>
    public Clients(Func<int, bool, int, IReadOnlyList<Uri>> serve, TimeProvider time, int seed) => (_serve, _time, _random) = (serve, time, new Random(seed));

    /// <summary>Latencies of reads for the Director's own measurement.</summary>
    public SlowReads ForDirector { get; } = new();

    /// <summary>Latencies of reads for the figures of the run.</summary>
    public SlowReads ForFigures { get; } = new();

    /// <summary>Requests that failed.</summary>
    public int Failed { get; private set; }

    /// <summary>Writes every document to a server, so that each read finds it.</summary>
    public async Task FillAsync(Uri server, CancellationToken cancellationToken)
    {
        for (var bin = 0; bin < TruthSetup.Bins; bin++)
        {
            using var answer = await _http.PutAsync(PathOf(server, bin), new ByteArrayContent(Text), cancellationToken);
            answer.EnsureSuccessStatusCode();
        }
    }

    /// <summary>Sends the load from its beginning for a time, and waits for the last answers.</summary>
    public async Task RunAsync(Workload load, TimeSpan length, CancellationToken cancellationToken)
    {
        var start = _time.GetTimestamp();
        var shares = new double[load.Bins];
        load.FillShares(0, shares);
        var requests = new List<Task>();
        var due = TimeSpan.Zero;
        using var timer = new PeriodicTimer(Tick, _time);
        while (due < length && await timer.WaitForNextTickAsync(cancellationToken))
        {
            var now = _time.GetElapsedTime(start);
            for (; due <= now && due < length; due += TimeSpan.FromSeconds(-Math.Log(1 - _random.NextDouble()) / load.Rate(due.TotalSeconds)))
                requests.Add(SendAsync(Draw(shares), _random.NextDouble() < load.GetShare, _random.Next(int.MaxValue), start, due));
            requests.RemoveAll(request => request.IsCompletedSuccessfully);
        }

        await Task.WhenAll(requests).WaitAsync(Limit * 2, _time, cancellationToken);
    }

    public void Dispose() => _http.Dispose();

    private static Uri PathOf(Uri server, int bin) => new(server, FormattableString.Invariant($"documents/bin-{bin}/sections/text"));

    private int Draw(double[] shares)
    {
        var at = _random.NextDouble();
        var bin = 0;
        for (; bin < shares.Length - 1 && at >= shares[bin]; bin++)
            at -= shares[bin];
        return bin;
    }

    private async Task SendAsync(int bin, bool isRead, int choice, long start, TimeSpan due)
    {
        var servers = _serve(bin, isRead, choice);
        var isAnswered = true;
        try
        {
            await Task.WhenAll(servers.Select(async server =>
            {
                using var answer = isRead ? await _http.GetAsync(PathOf(server, bin)) : await _http.PutAsync(PathOf(server, bin), new ByteArrayContent(Text));
                isAnswered &= answer.StatusCode is HttpStatusCode.OK or HttpStatusCode.NoContent;
            }));
        }
        catch (Exception error) when (error is HttpRequestException or OperationCanceledException)
        {
            isAnswered = false;
        }

        if (!isAnswered)
            Failed++;
        if (!isRead)
            return;
        var latency = isAnswered ? _time.GetElapsedTime(start) - due : Limit;
        ForDirector.Add(latency);
        ForFigures.Add(latency);
    }
}
