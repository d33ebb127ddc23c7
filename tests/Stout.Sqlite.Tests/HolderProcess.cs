using System.Diagnostics;
using System.Globalization;

namespace Stout.Sqlite.Tests;

/// <summary>A second process that opens the same store.</summary>
internal sealed class HolderProcess : IDisposable
{
    private readonly Process _process;

    /// <param name="path">The database file.</param>
    /// <param name="checkpointPages">The option CheckpointPages; with it, the process also writes an object whose size changes.</param>
    public HolderProcess(string path, int? checkpointPages = null)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true };
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Stout.Sqlite.Holder.dll"));
        start.ArgumentList.Add(path);
        if (checkpointPages is { } pages)
            start.ArgumentList.Add(pages.ToString(CultureInfo.InvariantCulture));
        _process = Process.Start(start)!;
    }

    /// <summary>The next line of the process's output.</summary>
    public async Task<string?> SaysAsync() => await _process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken);

    /// <summary>Kills the process.</summary>
    /// <returns>The last whole line of its output.</returns>
    public async Task<string> KillAsync()
    {
        _process.Kill();
        var said = await _process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await _process.WaitForExitAsync(TestContext.Current.CancellationToken);
        var whole = said[..(said.LastIndexOf('\n') + 1)];
        return whole.Split('\n', StringSplitOptions.RemoveEmptyEntries).LastOrDefault() ?? "";
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.Dispose();
    }
}
