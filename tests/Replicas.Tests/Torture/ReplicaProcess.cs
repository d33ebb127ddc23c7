using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json;
using ReplicaUnderTest;

namespace Replicas.Tests.Torture;

/// <summary>A replica in a process of its own, which may be killed, stopped, suspended and started again.</summary>
internal sealed class ReplicaProcess(IReadOnlyDictionary<string, string> environment) : IAsyncDisposable
{
    // Of Linux.
    private const int SigCont = 18;
    private const int SigStop = 19;

    private static readonly string Output = Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory);

    private readonly Lock _lock = new();
    private readonly Dictionary<long, TaskCompletionSource<Answer?>> _pending = [];
    private Process? _process;
    private Task _answers = Task.CompletedTask;
    private volatile bool _isRunning;
    private long _lastId;

    /// <summary>Whether it takes requests.</summary>
    public bool IsRunning => _isRunning;

    /// <summary>Starts the process, and returns when it is ready.</summary>
    public async Task StartAsync()
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.ArgumentList.Add(Program());
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        _process?.Dispose();
        _process = Process.Start(start)!;
        _process.StandardInput.AutoFlush = true;
        if (await _process.StandardOutput.ReadLineAsync() != "ready")
            throw new InvalidOperationException("A replica did not start.");
        _answers = Task.Run(() => ReadAnswersAsync(_process.StandardOutput));
        _isRunning = true;
    }

    /// <summary>Sends a request.</summary>
    /// <returns>The answer; null if the process ended before it came.</returns>
    public Task<Answer?> AskAsync(Request request)
    {
        var answer = new TaskCompletionSource<Answer?>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
        {
            request = request with { Id = ++_lastId };
            if (!_isRunning)
                return Task.FromResult<Answer?>(new Answer(request.Id, Outcome.NotDone, Error: "The replica was not running."));
            _pending.Add(request.Id, answer);
            try
            {
                _process!.StandardInput.WriteLine(JsonSerializer.Serialize(request, ProtocolJson.Default.Request));
            }
            catch (IOException)
            {
                // The process is gone; the end of its answers ends the request too.
            }
        }

        return answer.Task;
    }

    /// <summary>SIGKILL.</summary>
    public async Task KillAsync()
    {
        _process!.Kill();
        await EndAsync();
    }

    /// <summary>Has the replica answer what it was asked, drain and end.</summary>
    public async Task StopAsync()
    {
        lock (_lock)
        {
            _isRunning = false;
            _process!.StandardInput.Close();
        }

        await EndAsync();
        if (_process.ExitCode != 0)
            throw new InvalidOperationException($"A replica that was told to stop ended with {_process.ExitCode}.");
    }

    /// <summary>SIGSTOP: the process stands still, and its connections stay open.</summary>
    public void Suspend() => _ = Signal(_process!.Id, SigStop);

    /// <summary>SIGCONT.</summary>
    public void Resume() => _ = Signal(_process!.Id, SigCont);

    public async ValueTask DisposeAsync()
    {
        if (_process is null)
            return;
        if (!_process.HasExited)
            await KillAsync();
        _process.Dispose();
    }

    private async Task EndAsync()
    {
        await _process!.WaitForExitAsync();
        await _answers;
    }

    private async Task ReadAnswersAsync(StreamReader output)
    {
        while (await output.ReadLineAsync() is { } line)
        {
            if (TryRead(line) is not { } answer)
                break;
            TaskCompletionSource<Answer?> asked;
            lock (_lock)
            {
                if (!_pending.Remove(answer.Id, out asked!))
                    throw new InvalidOperationException($"A replica answered what it was not asked: {line}");
            }

            asked.SetResult(answer);
        }

        lock (_lock)
        {
            _isRunning = false;
            foreach (var asked in _pending.Values)
                asked.SetResult(null);
            _pending.Clear();
        }
    }

    /// <summary>An answer; null for the torn last line of a killed process.</summary>
    private static Answer? TryRead(string line)
    {
        try
        {
            return JsonSerializer.Deserialize(line, ProtocolJson.Default.Answer);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>The program was built beside the tests, in the same configuration.</summary>
    private static string Program()
    {
        var framework = Path.GetFileName(Output);
        var configuration = Path.GetFileName(Path.GetDirectoryName(Output)!);
        return Path.GetFullPath(Path.Combine(Output, "..", "..", "..", "..", "ReplicaUnderTest", "bin", configuration, framework, "ReplicaUnderTest.dll"));
    }

    [DllImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static extern int Signal(int process, int signal);
}
