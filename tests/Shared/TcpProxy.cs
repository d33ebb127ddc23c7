using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Stout.Tests.Shared;

/// <summary>
/// Stands between a client and its server on the loopback interface. At the test's request it cuts connections: before a request reaches the server, or
/// before the answer reaches the client.
/// </summary>
internal sealed class TcpProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentDictionary<Task, bool> _connections = [];
    private readonly IPEndPoint _server;
    private readonly Task _accepting;

    /// <param name="server">The address of the server.</param>
    public TcpProxy(IPEndPoint server)
    {
        _server = server;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>The decision about bytes that have arrived.</summary>
    public enum Verdict
    {
        /// <summary>The bytes are passed on.</summary>
        Pass,

        /// <summary>The bytes are dropped, and both sides see the connection end.</summary>
        Cut,
    }

    /// <summary>The port to which clients connect.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Called with each piece of a client's bytes that arrives. Default: passes all bytes.</summary>
    public Func<ReadOnlyMemory<byte>, Verdict> OnRequest { get; set; } = static _ => Verdict.Pass;

    /// <summary>Called with each piece of the server's bytes that arrives. Default: passes all bytes.</summary>
    public Func<ReadOnlyMemory<byte>, Verdict> OnAnswer { get; set; } = static _ => Verdict.Pass;

    /// <summary>The time for which bytes are held before they are passed on, in both directions. Default: zero.</summary>
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

    /// <summary>Passes bytes on until one side ends, or the test cuts the connection.</summary>
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
            // One side has closed the connection. The caller closes the other side.
        }
    }
}
