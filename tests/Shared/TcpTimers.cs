using System.Globalization;

namespace Stout.Tests.Shared;

/// <summary>The timers of this machine's TCP connections, as Linux shows them.</summary>
internal static class TcpTimers
{
    private const string Established = "01";
    private const string KeepAlive = "02";
    private const int TicksPerSecond = 100;

    /// <summary>The time until the keepalive probe of each connection to a loopback port; null for a connection without keepalive.</summary>
    public static IReadOnlyList<TimeSpan?> KeepAlivesTo(int port)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux alone shows the timers of connections.");
        var remote = string.Create(CultureInfo.InvariantCulture, $":{port:X4}");
        return
        [
            .. File.ReadLines("/proc/net/tcp").Concat(File.ReadLines("/proc/net/tcp6"))
                .Select(static line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Where(fields => fields[2].EndsWith(remote, StringComparison.Ordinal) && fields[3] == Established)
                .Select(static fields => fields[5].Split(':'))
                .Select(static timer => timer[0] == KeepAlive
                    ? TimeSpan.FromSeconds(long.Parse(timer[1], NumberStyles.HexNumber, CultureInfo.InvariantCulture) / (double)TicksPerSecond)
                    : default(TimeSpan?)),
        ];
    }
}
