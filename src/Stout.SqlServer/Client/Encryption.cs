using Microsoft.Data.SqlClient;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>What a connection string says of the way to its server.</summary>
internal static class Encryption
{
    /// <summary>Whether a connection leaves this machine only encrypted. SqlClient's default is <c>Encrypt=Mandatory</c>; with <c>Optional</c> only the login is.</summary>
    public static bool IsRequired(string connectionString)
    {
        var settings = new SqlConnectionStringBuilder(connectionString);
        return settings.Encrypt != SqlConnectionEncryptOption.Optional || IsLocal(settings.DataSource);
    }

    /// <summary>The server of this machine: <c>.</c>, <c>(local)</c>, <c>(localdb)</c> and shared memory, besides the names that TCP knows.</summary>
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
