using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Stout.Tests.Shared;

/// <summary>
/// A program that answers requests in its own process. Tests may kill, stop, suspend and restart it. Requests are lines of JSON on its standard input,
/// answers are lines on its standard output. The first line of output says that the program is ready.
/// </summary>
/// <param name="program">The program's project in the folder tests; it must have been built.</param>
/// <param name="arguments">The program's arguments.</param>
/// <param name="environment">The program's environment variables.</param>
/// <param name="requests">The JSON form of requests.</param>
/// <param name="answers">The JSON form of answers.</param>
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

    /// <summary>Whether the process takes requests.</summary>
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
        // Set before answers are read, since the end of the answers resets it. So a process that ends at once does not count as running.
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
                // The process has ended. The end of its answers ends this request, too.
            }
        }

        return answer.Task;
    }

    /// <summary>Kills the process by SIGKILL.</summary>
    public async Task KillAsync()
    {
        _process!.Kill();
        await EndAsync();
    }

    /// <summary>Has the program answer all its requests, drain and end.</summary>
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

    /// <summary>Suspends the process by SIGSTOP. Its connections stay open.</summary>
    public void Suspend() => Signals.Suspend(_process!.Id);

    /// <summary>Continues a suspended process by SIGCONT.</summary>
    public void Resume() => Signals.Resume(_process!.Id);

    public async ValueTask DisposeAsync()
    {
        if (_process is null)
            return;
        if (!_process.HasExited)
            await KillAsync();
        _process.Dispose();
    }

    /// <summary>Whether the program's standard error goes to this process's standard error; otherwise it is discarded.</summary>
    protected virtual bool ShowsErrors => true;

    /// <summary>Gives a request a number, with which the program marks its answer.</summary>
    protected abstract TRequest Number(TRequest request, long id);

    protected abstract long NumberOf(TAnswer answer);

    /// <summary>The answer to a request that was not sent, since the process was not running.</summary>
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

    /// <summary>The path of a program, which was built for the same configuration as the tests.</summary>
    private static string PathOf(string program)
    {
        var framework = Path.GetFileName(Output);
        var configuration = Path.GetFileName(Path.GetDirectoryName(Output)!);
        return Path.GetFullPath(Path.Combine(Output, "..", "..", "..", "..", program, "bin", configuration, framework, program + ".dll"));
    }
}
