using System.Diagnostics;
using System.Runtime.InteropServices;

namespace SectionedDocuments.Tests.Processes;

/// <summary>A program in its own process, with its output.</summary>
internal sealed class RunningProgram : IDisposable
{
    private const int SigTerm = 15;

    /// <summary>The longest wait. It only turns a hang into a failure; no assertion depends on it.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly Lock _lock = new();
    private readonly Process _process;
    private readonly List<string> _lines = [];
    private TaskCompletionSource _lineCame = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private RunningProgram(ProcessStartInfo start)
    {
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Hear(line.Data);
        _process.ErrorDataReceived += (_, line) => Hear(line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public int Id => _process.Id;

    /// <summary>The program's output so far, of standard output and standard error.</summary>
    public string Output
    {
        get
        {
            lock (_lock)
                return string.Join('\n', _lines);
        }
    }

    public static RunningProgram Start(string directory, IEnumerable<string> command)
    {
        var start = new ProcessStartInfo
        {
            WorkingDirectory = directory,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var words = command.ToList();
        start.FileName = words[0];
        foreach (var argument in words.Skip(1))
            start.ArgumentList.Add(argument);
        return new RunningProgram(start);
    }

    /// <summary>The command that runs a program that has been built.</summary>
    public static IEnumerable<string> Dotnet(string program, params IEnumerable<string> arguments) =>
        [Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", program, .. arguments];

    /// <summary>Waits for the first line of output that contains the text, and returns it.</summary>
    public Task<string> LineAsync(string text) => LineAsync(text, 1);

    /// <summary>Waits for the n-th line of output that contains the text, and returns it.</summary>
    public async Task<string> LineAsync(string text, int nth)
    {
        using var patience = new CancellationTokenSource(Patience);
        while (true)
        {
            Task lineCame;
            lock (_lock)
            {
                if (_lines.Where(line => line.Contains(text, StringComparison.Ordinal)).ElementAtOrDefault(nth - 1) is { } found)
                    return found;
                lineCame = _lineCame.Task;
            }

            var exited = _process.WaitForExitAsync(patience.Token);
            await Task.WhenAny(lineCame, exited);
            if (exited.IsCompleted && !lineCame.IsCompleted)
                throw new InvalidOperationException($"It has {(exited.IsCanceled ? "not yet" : "ended and not")} said \"{text}\", but:\n{Output}");
        }
    }

    public void Say(string line) => _process.StandardInput.WriteLine(line);

    /// <summary>Kills the program by SIGKILL, but not the processes that it has started.</summary>
    public void Kill() => _process.Kill();

    public void Terminate() => _ = SendSignal(Id, SigTerm);

    public async Task<int> ExitAsync()
    {
        using var patience = new CancellationTokenSource(Patience);
        await _process.WaitForExitAsync(patience.Token);
        return _process.ExitCode;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    [DllImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern int SendSignal(int process, int signal);

    private void Hear(string? line)
    {
        if (line is null)
            return;
        lock (_lock)
        {
            _lines.Add(line);
            _lineCame.SetResult();
            _lineCame = new(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }
}
