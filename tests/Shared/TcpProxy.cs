using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Stout.Tests.Shared;

/// <summary>
/// Stands between a client and its server on the loopback interface, and cuts connections where a test wants it: before a request is
/// passed on, or after the server has answered and before the client hears of it.
/// </summary>
internal sealed class TcpProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentDictionary<Task, bool> _connections = [];
    private readonly IPEndPoint _server;
    private readonly Task _accepting;

    /// <param name="server">Where the server listens.</param>
    public TcpProxy(IPEndPoint server)
    {
        _server = server;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>The fate of a connection when bytes pass.</summary>
    public enum Verdict
    {
        /// <summary>They go on.</summary>
        Pass,

        /// <summary>They are dropped, and both sides see the connection end.</summary>
        Cut,
    }

    /// <summary>Where clients connect.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Asked about what a client sends, each time some of it arrives. Default: all passes.</summary>
    public Func<ReadOnlyMemory<byte>, Verdict> OnRequest { get; set; } = static _ => Verdict.Pass;

    /// <summary>Asked about what the server answers, each time some of it arrives. Default: all passes.</summary>
    public Func<ReadOnlyMemory<byte>, Verdict> OnAnswer { get; set; } = static _ => Verdict.Pass;

    /// <summary>How long what arrives is held before it is passed on, either way. Default: not at all.</summary>
    public TimeSpan Delay { get; set; }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Stop();
        await _accepting;
        await Task.WhenAll(_connections.Keys);
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                var connection = ServeAsync(await _listener.AcceptTcpClientAsync(_stop.Token));
                _connections[connection] = true;
                _ = connection.ContinueWith(ended => _connections.TryRemove(ended, out _), TaskScheduler.Default);
            }
            catch (Exception error) when (error is OperationCanceledException or SocketException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using var server = new TcpClient();
        using (client)
        {
            try
            {
                await server.ConnectAsync(_server, _stop.Token);
            }
            catch (Exception error) when (error is SocketException or OperationCanceledException)
            {
                return;
            }

            client.NoDelay = server.NoDelay = true;
            using var end = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
            var requests = PumpAsync(client.GetStream(), server.GetStream(), bytes => OnRequest(bytes), end.Token);
            var answers = PumpAsync(server.GetStream(), client.GetStream(), bytes => OnAnswer(bytes), end.Token);
            await Task.WhenAny(requests, answers);
            await end.CancelAsync();
            await Task.WhenAll(requests, answers);
        }
    }

    /// <summary>Passes bytes on until one side ends, or the test has them cut.</summary>
    private async Task PumpAsync(NetworkStream from, NetworkStream to, Func<ReadOnlyMemory<byte>, Verdict> judge, CancellationToken cancellationToken)
    {
        var buffer = new byte[64 * 1024];
        try
        {
            while (await from.ReadAsync(buffer, cancellationToken) is > 0 and var length && judge(buffer.AsMemory(0, length)) == Verdict.Pass)
            {
                if (Delay > TimeSpan.Zero)
                    await Task.Delay(Delay, cancellationToken);
                await to.WriteAsync(buffer.AsMemory(0, length), cancellationToken);
            }
        }
        catch (Exception error) when (error is IOException or OperationCanceledException or ObjectDisposedException)
        {
            // One side is gone; the other is told.
        }
    }
}
