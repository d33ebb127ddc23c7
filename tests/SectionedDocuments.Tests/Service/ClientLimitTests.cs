using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

/// <summary>One client can't use up the service at the expense of others. Clients have different addresses of the loopback network.</summary>
public sealed class ClientLimitTests(ITestOutputHelper output) : IDisposable
{
    private const int Others = 5;
    private const int RequestsOfOthers = 200;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_greedy_client_is_told_to_come_later_and_others_are_served(bool limited)
    {
        // The service's limits are on by default. The defaults of the tests turn them off.
        using var service = limited
            ? await RunningService.StartCommandAsync(_folder, RunningProgram.Dotnet(Programs.Service, "--urls=http://127.0.0.1:0"))
            : await RunningService.StartAsync(_folder);
        using var greedy = Client(service, "127.0.0.2");
        using var enough = new CancellationTokenSource();
        var refused = new TaskCompletionSource<HttpStatusCode>(TaskCreationOptions.RunContinuationsAsynchronously);
        var served = 0;
        var flood = Task.WhenAll(Enumerable.Range(0, 32).Select(i => FloodAsync(i)));
        if (limited)
            Assert.Equal(HttpStatusCode.TooManyRequests, await refused.Task.WaitAsync(TimeSpan.FromMinutes(1), Cancellation));

        var latencies = await Task.WhenAll(Enumerable.Range(0, Others).Select(i => UseAsync("127.0.0.1" + i)));
        if (limited)
            Assert.Equal(HttpStatusCode.OK, (await greedy.GetAsync("health", Cancellation)).StatusCode);
        await enough.CancelAsync();
        await flood;
        Assert.Equal(limited, refused.Task.IsCompleted);
        var sorted = latencies.SelectMany(static some => some).Order().ToList();
        output.WriteLine($"limits {(limited ? "on" : "off")}: p50 {sorted[sorted.Count / 2].TotalMilliseconds:0.0} ms, p99 {sorted[sorted.Count * 99 / 100].TotalMilliseconds:0.0} ms of {sorted.Count} requests of others; {served} of the greedy client were served");

        async Task FloodAsync(int writer)
        {
            while (!enough.IsCancellationRequested)
            {
                using var answer = await greedy.PutAsync(RunningService.PathOf("greedy", "s" + writer), new StringContent(Guid.NewGuid().ToString()), Cancellation);
                if (answer.StatusCode == HttpStatusCode.NoContent)
                {
                    Interlocked.Increment(ref served);
                    continue;
                }

                await Problem.OfAsync(answer, HttpStatusCode.TooManyRequests, "too-many-requests");
                Assert.True(answer.Headers.RetryAfter?.Delta >= TimeSpan.FromSeconds(1));
                refused.TrySetResult(answer.StatusCode);
            }
        }

        async Task<List<TimeSpan>> UseAsync(string address)
        {
            using var client = Client(service, address);
            var times = new List<TimeSpan>();
            for (var i = 0; i < RequestsOfOthers; i++)
            {
                var began = Stopwatch.GetTimestamp();
                using var answer = await client.PutAsync(RunningService.PathOf(address, "s"), new StringContent("text " + i), Cancellation);
                Assert.Equal(HttpStatusCode.NoContent, answer.StatusCode);
                times.Add(Stopwatch.GetElapsedTime(began));
            }

            return times;
        }
    }

    [Fact]
    public async Task A_client_has_so_many_requests_under_way_at_once()
    {
        using var service = await RunningService.StartAsync(_folder, "--SectionedDocuments:RequestsPerSecond=1000", "--SectionedDocuments:RequestsAtOnce=2");
        using var client = Client(service, "127.0.0.2");
        using var first = await client.GetAsync("events", HttpCompletionOption.ResponseHeadersRead, Cancellation);
        using var second = await client.GetAsync("events", HttpCompletionOption.ResponseHeadersRead, Cancellation);
        using var third = await client.GetAsync("documents/a", Cancellation);
        await Problem.OfAsync(third, HttpStatusCode.TooManyRequests, "too-many-requests");
        using var other = Client(service, "127.0.0.3");
        Assert.Equal(HttpStatusCode.NotFound, (await other.GetAsync("documents/a", Cancellation)).StatusCode);
    }

    /// <summary>A client that connects from the given address.</summary>
    private static HttpClient Client(RunningService service, string address) => new(new SocketsHttpHandler
    {
        ConnectCallback = async (context, token) =>
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            socket.Bind(new IPEndPoint(IPAddress.Parse(address), 0));
            await socket.ConnectAsync(context.DnsEndPoint, token);
            return new NetworkStream(socket, ownsSocket: true);
        },
    }) { BaseAddress = service.Address };
}
