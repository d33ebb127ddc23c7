using Microsoft.Data.SqlClient;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>Reads the encryption settings of a connection string.</summary>
internal static class Encryption
{
    /// <summary>
    /// Whether all connections to another machine are encrypted. SqlClient's default is <c>Encrypt=Mandatory</c>; <c>Optional</c> encrypts only the
    /// login.
    /// </summary>
    public static bool IsRequired(string connectionString)
    {
        var settings = new SqlConnectionStringBuilder(connectionString);
        return settings.Encrypt != SqlConnectionEncryptOption.Optional || IsLocal(settings.DataSource);
    }

    /// <summary>Whether the server is this machine: <c>.</c>, <c>(local)</c>, <c>(localdb)</c>, shared memory, or a local name or address.</summary>
    private static bool IsLocal(string server)
    {
        if (server.StartsWith("lpc:", StringComparison.OrdinalIgnoreCase))
            return true;
        var host = server.StartsWith("tcp:", StringComparison.OrdinalIgnoreCase) || server.StartsWith("admin:", StringComparison.OrdinalIgnoreCase)
            ? server.Split(':', 2)[1]
            : server;
        host = host.Split(',', '\\')[0].Trim();
        return host is "." || host.Equals("(local)", StringComparison.OrdinalIgnoreCase) || host.Equals("(localdb)", StringComparison.OrdinalIgnoreCase)
            || (host.Length > 0 && LocalHost.Is(host));
    }
}
