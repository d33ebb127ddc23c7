using System.Diagnostics;
using System.Globalization;

namespace Stout.Experiments.Live.Stores;

/// <summary>Stops a server that one was told it may stop, with all its processes, by signals.</summary>
/// <param name="server">The process that has started the others.</param>
internal sealed class ServerProcesses(int server) : IStall
{
    // The first comes first: once it stands still, it starts no others.
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
