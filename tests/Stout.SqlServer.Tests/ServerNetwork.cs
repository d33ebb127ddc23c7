using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Microsoft.Data.SqlClient;
using Stout.Tests.Shared;

namespace Stout.SqlServer.Tests;

/// <summary>A network between the client and the real server that a test controls.</summary>
internal static class ServerNetwork
{
    private const int DefaultPort = 1433;

    /// <returns>The network, and the connection string that leads through it.</returns>
    public static async Task<(TcpProxy Network, string ConnectionString)> PutBeforeAsync(string connectionString)
    {
        var settings = new SqlConnectionStringBuilder(connectionString);
        var server = settings.DataSource.Replace("tcp:", "", StringComparison.OrdinalIgnoreCase).Split(',');
        var address = (await Dns.GetHostAddressesAsync(server[0], AddressFamily.InterNetwork))[0];
        var network = new TcpProxy(new IPEndPoint(address, server.Length > 1 ? int.Parse(server[1], CultureInfo.InvariantCulture) : DefaultPort));
        settings.DataSource = $"127.0.0.1,{network.Port}";
        settings.TrustServerCertificate = true;
        return (network, settings.ConnectionString);
    }
}
