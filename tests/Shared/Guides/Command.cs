using System.Diagnostics;
using System.Text;

namespace Stout.Tests.Shared.Guides;

/// <summary>Commands as a user types them, run by bash without input. The first command that fails ends the run.</summary>
internal sealed class Command : IDisposable
{
    /// <summary>The longest run of a command. A clean build takes well under a minute on an idle machine.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(10);

    private readonly Process _process;
    private readonly string _commands;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _errors = new();
    private readonly Lock _lock = new();
    private TaskCompletionSource _printed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Command(string commands, string folder, IReadOnlyDictionary<string, string> environment)
    {
        _commands = commands;
        var start = new ProcessStartInfo("bash", ["-euo", "pipefail", "-c", commands])
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        // The SDK that runs these tests sets variables that must not reach another build.
        foreach (var name in start.Environment.Keys.Where(name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToList())
            start.Environment.Remove(name);
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Note(_output, line.Data);
        _process.ErrorDataReceived += (_, line) => Note(_errors, line.Data);
        _process.Start();
        _process.StandardInput.Close();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>Waits for a line with this text.</summary>
    public async Task PrintsAsync(string text)
    {
        using var patience = new CancellationTokenSource(Patience);
        var ended = _process.WaitForExitAsync(patience.Token);
        while (true)
        {
            Task printed;
            lock (_lock)
            {
                if (_output.ToString().Contains(text, StringComparison.Ordinal))
                    return;
                printed = _printed.Task;
            }

            if (await Task.WhenAny(printed, ended) == ended)
                Assert.Fail(Describe($"did not print \"{text}\""));
        }
    }

    /// <summary>Waits for the end of the commands, which must succeed.</summary>
    /// <returns>The output.</returns>
    public async Task<string> EndAsync()
    {
        using var patience = new CancellationTokenSource(Patience);
        try
        {
            await _process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            Assert.Fail(Describe($"took longer than {Patience}"));
        }

        Assert.True(_process.ExitCode == 0, Describe($"ended with {_process.ExitCode}"));
        lock (_lock)
            return _output.ToString();
    }

    /// <summary>Kills the commands if they still run, with all processes that they have started.</summary>
    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit();
        }

        _process.Dispose();
    }

    private void Note(StringBuilder what, string? line)
    {
        if (line is null)
            return;
        lock (_lock)
        {
            what.Append(line).Append('\n');
            _printed.TrySetResult();
            _printed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    private string Describe(string what)
    {
        lock (_lock)
            return $"{_commands}{what}:\n{_output}{_errors}";
    }
}
