using System.Net;
using System.Net.Sockets;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Tests.Shared;

namespace Stout.SqlServer.Tests;

/// <summary>SqlClient's connections send probes while idle, so that what stands between does not forget them.</summary>
public sealed class ConnectionKeepAliveTests
{
    [Fact]
    public async Task Connection_is_probed_after_half_a_minute()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        await using var connection = new SqlConnection(Database.Complete($"Server=127.0.0.1,{port};User Id=x;Password=x;Encrypt=False", TimeSpan.FromMinutes(1)));
        using var stop = new CancellationTokenSource();
        var opening = connection.OpenAsync(stop.Token);
        using (var server = await listener.AcceptTcpClientAsync(TestContext.Current.CancellationToken))
        {
            // The first bytes come after the socket is set up.
            Assert.True(await server.GetStream().ReadAsync(new byte[1], TestContext.Current.CancellationToken) > 0);

            var probe = Assert.Single(TcpTimers.KeepAlivesTo(port));

            Assert.True(probe <= TimeSpan.FromSeconds(30), $"{probe}");
        }

        await Assert.ThrowsAnyAsync<Exception>(() => opening);
    }
}
