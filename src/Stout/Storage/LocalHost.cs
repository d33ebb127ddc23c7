using System.Net;

namespace Stout.Storage;

/// <summary>Distinguishes this machine's names and addresses from remote ones, for warnings about unencrypted transport.</summary>
public static class LocalHost
{
    /// <summary>Whether a name or address always means this machine. Names are not resolved.</summary>
    /// <param name="host">The host of a connection string or an address: <c>localhost</c> and its subdomains, a loopback address with or without brackets,
    /// or a socket's path. Null or empty, which means no host, counts as this machine.</param>
    public static bool Is(string? host)
    {
        if (string.IsNullOrEmpty(host) || host[0] is '/' or '@')
            return true;
        var name = host.TrimEnd('.');
        return name.Equals("localhost", StringComparison.OrdinalIgnoreCase)
            || name.EndsWith(".localhost", StringComparison.OrdinalIgnoreCase)
            || (IPAddress.TryParse(host.Trim('[', ']'), out var address) && IPAddress.IsLoopback(address));
    }
}
