using System.Diagnostics;
using System.Globalization;

namespace Stout.Experiments.Live.Stores;

/// <summary>Stops all processes of a server by SIGSTOP, and lets them go on by SIGCONT. The option <c>--server-process</c> names the server.</summary>
/// <param name="server">The id of the server's first process, which has started the others.</param>
internal sealed class ServerProcesses(int server) : IStall
{
    // Stops the first process before the others: once stopped, it starts no further ones.
    public void Stop()
    {
        Signal("STOP", [server]);
        Signal("STOP", Children());
    }

    public void GoOn() => Signal("CONT", [server, .. Children()]);

    private IEnumerable<int> Children() => File.ReadAllText($"/proc/{server}/task/{server}/children")
        .Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(id => int.Parse(id, CultureInfo.InvariantCulture));

    private static void Signal(string signal, IEnumerable<int> processes)
    {
        var ids = processes.Select(id => id.ToString(CultureInfo.InvariantCulture)).ToList();
        if (ids.Count == 0)
            return;
        using var kill = Process.Start("kill", [$"-{signal}", .. ids]);
        kill.WaitForExit();
    }
}
