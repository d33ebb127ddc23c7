using System.Net;
using System.Net.Sockets;
using System.Text;

namespace SectionedDocuments.Tests.Processes;

/// <summary>A collector of OTLP over HTTP that keeps all requests.</summary>
internal sealed class Collector : IDisposable
{
    private readonly HttpListener _listener = new();
    private readonly Dictionary<string, StringBuilder> _received = [];
    private readonly Task _serving;

    public Collector()
    {
        Address = new Uri($"http://127.0.0.1:{FreePort()}/");
        _listener.Prefixes.Add(Address.AbsoluteUri);
        _listener.Start();
        _serving = ServeAsync();
    }

    public Uri Address { get; }

    /// <summary>The bodies of all requests to a path, with each byte as a character. Names of metrics are readable in that form.</summary>
    public string ReceivedAt(string path)
    {
        lock (_received)
            return _received.GetValueOrDefault(path)?.ToString() ?? "";
    }

    public void Dispose()
    {
        _listener.Stop();
        _serving.GetAwaiter().GetResult();
        _listener.Close();
    }

    private async Task ServeAsync()
    {
        try
        {
            while (true)
            {
                var context = await _listener.GetContextAsync();
                using var reader = new StreamReader(context.Request.InputStream, Encoding.Latin1);
                var body = await reader.ReadToEndAsync();
                lock (_received)
                {
                    if (!_received.TryGetValue(context.Request.Url!.AbsolutePath, out var text))
                        text = _received[context.Request.Url.AbsolutePath] = new StringBuilder();
                    text.Append(body);
                }

                context.Response.Close();
            }
        }
        catch (Exception error) when (error is HttpListenerException or ObjectDisposedException)
        {
            // The collector has been stopped.
        }
    }

    private static int FreePort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
