using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Stout.Tests.Shared;

/// <summary>
/// A program in a process of its own that answers requests, which may be killed, stopped, suspended and started again. Requests are lines of JSON on
/// its standard input, answers are lines on its standard output; the first line says that it is ready.
/// </summary>
/// <param name="program">The program's project in tests, which was built before.</param>
/// <param name="arguments">The program's arguments.</param>
/// <param name="environment">Its settings.</param>
/// <param name="requests">How requests are written.</param>
/// <param name="answers">How answers are read.</param>
internal abstract class AskedProcess<TRequest, TAnswer>(
    string program, IReadOnlyList<string> arguments, IReadOnlyDictionary<string, string> environment, JsonTypeInfo<TRequest> requests, JsonTypeInfo<TAnswer> answers)
    : IAsyncDisposable
    where TAnswer : class
{
    private static readonly string Output = Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory);

    private readonly Lock _lock = new();
    private readonly Dictionary<long, TaskCompletionSource<TAnswer?>> _pending = [];
    private Process? _process;
    private Task _answers = Task.CompletedTask;
    private volatile bool _isRunning;
    private long _lastId;

    /// <summary>Whether it takes requests.</summary>
    public bool IsRunning => _isRunning;

    /// <summary>Completes when the process that was started last has ended, and all its answers have been read.</summary>
    public Task Ended => _answers;

    /// <summary>Starts the process, and returns when it is ready.</summary>
    public async Task StartAsync()
    {
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = !ShowsErrors,
        };
        foreach (var argument in (string[])[PathOf(program), .. arguments])
            start.ArgumentList.Add(argument);
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        _process?.Dispose();
        _process = Process.Start(start)!;
        _process.StandardInput.AutoFlush = true;
        if (!ShowsErrors)
            _process.BeginErrorReadLine();
        if (await _process.StandardOutput.ReadLineAsync() != "ready")
            throw new InvalidOperationException($"{program} did not start.");
        // Before the first answer: a process that ends at once is then not taken for a running one.
        _isRunning = true;
        _answers = Task.Run(() => ReadAnswersAsync(_process.StandardOutput));
    }

    /// <summary>Sends a request.</summary>
    /// <returns>The answer; null if the process ended before it came.</returns>
    public Task<TAnswer?> AskAsync(TRequest request)
    {
        var answer = new TaskCompletionSource<TAnswer?>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
        {
            var id = ++_lastId;
            if (!_isRunning)
                return Task.FromResult<TAnswer?>(NotRunning(id));
            _pending.Add(id, answer);
            try
            {
                _process!.StandardInput.WriteLine(JsonSerializer.Serialize(Number(request, id), requests));
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

    /// <summary>Has the program answer what it was asked, drain and end.</summary>
    public async Task StopAsync()
    {
        lock (_lock)
        {
            _isRunning = false;
            _process!.StandardInput.Close();
        }

        await EndAsync();
        if (_process.ExitCode != 0)
            throw new InvalidOperationException($"{program} was told to stop and ended with {_process.ExitCode}.");
    }

    /// <summary>SIGSTOP: the process stands still, and its connections stay open.</summary>
    public void Suspend() => Signals.Suspend(_process!.Id);

    /// <summary>SIGCONT.</summary>
    public void Resume() => Signals.Resume(_process!.Id);

    public async ValueTask DisposeAsync()
    {
        if (_process is null)
            return;
        if (!_process.HasExited)
            await KillAsync();
        _process.Dispose();
    }

    /// <summary>Whether the program's standard error is that of this process; otherwise nothing shows it.</summary>
    protected virtual bool ShowsErrors => true;

    /// <summary>The request with a number that comes back with its answer.</summary>
    protected abstract TRequest Number(TRequest request, long id);

    protected abstract long NumberOf(TAnswer answer);

    /// <summary>The answer to a request that was not sent.</summary>
    protected abstract TAnswer NotRunning(long id);

    private async Task EndAsync()
    {
        await _process!.WaitForExitAsync();
        await _answers;
    }

    private async Task ReadAnswersAsync(StreamReader output)
    {
        try
        {
            while (await output.ReadLineAsync() is { } line && TryRead(line) is { } answer)
            {
                TaskCompletionSource<TAnswer?> asked;
                lock (_lock)
                {
                    if (!_pending.Remove(NumberOf(answer), out asked!))
                        throw new InvalidOperationException($"{program} answered a request that it did not get: {line}");
                }

                asked.SetResult(answer);
            }
        }
        finally
        {
            lock (_lock)
            {
                _isRunning = false;
                foreach (var asked in _pending.Values)
                    asked.SetResult(null);
                _pending.Clear();
            }
        }
    }

    /// <summary>An answer; null for the torn last line of a killed process.</summary>
    private TAnswer? TryRead(string line)
    {
        try
        {
            return JsonSerializer.Deserialize(line, answers);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>The program was built beside the tests, in the same configuration.</summary>
    private static string PathOf(string program)
    {
        var framework = Path.GetFileName(Output);
        var configuration = Path.GetFileName(Path.GetDirectoryName(Output)!);
        return Path.GetFullPath(Path.Combine(Output, "..", "..", "..", "..", program, "bin", configuration, framework, program + ".dll"));
    }
}
