using System.Diagnostics;

namespace Stout.Benchmarks.Grains;

/// <summary>Processes that keep processors busy. They end when this object is disposed, or by themselves after ten minutes.</summary>
internal sealed class BusyLoops : IDisposable
{
    private readonly List<Process> _processes;

    public BusyLoops(int count) =>
        _processes = [.. Enumerable.Range(0, count).Select(_ => Process.Start("timeout", ["600", "sh", "-c", "while :; do :; done"]))];

    public void Dispose()
    {
        foreach (var process in _processes)
        {
            process.Kill(entireProcessTree: true);
            process.Dispose();
        }
    }
}
