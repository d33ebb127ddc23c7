using System.Net;

namespace Stout.Storage;

/// <summary>Tells hosts of this machine from others, for proxies: what goes to another one leaves the machine.</summary>
public static class LocalHost
{
    /// <summary>Whether a name or address leads to this machine and nowhere else. Names are not looked up.</summary>
    /// <param name="host">
    /// The host of a connection string or an address: <c>localhost</c> and its subdomains, an address of loopback, with or without brackets, or the
    /// path of a socket. Empty: no host.
    /// </param>
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
