using Spectre.Console;

namespace Stout.Experiments;

/// <summary>Shows how far an experiment is, on standard error: a line that changes on a terminal, otherwise a line every 10 s.</summary>
internal static class ProgressDisplay
{
    private static readonly TimeSpan TerminalInterval = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LineInterval = TimeSpan.FromSeconds(10);

    public static Task ShowAsync(string experiment, WorkPool pool, Task running) =>
        Console.IsErrorRedirected ? ShowLinesAsync(experiment, pool, running) : ShowStatusAsync(experiment, pool, running);

    private static async Task ShowLinesAsync(string experiment, WorkPool pool, Task running)
    {
        while (!await EndsWithin(running, LineInterval))
            await Console.Error.WriteLineAsync(Text(experiment, pool));
    }

    private static Task ShowStatusAsync(string experiment, WorkPool pool, Task running) =>
        AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) }).Status()
            .StartAsync(experiment, async status =>
            {
                while (!await EndsWithin(running, TerminalInterval))
                    status.Status = Text(experiment, pool);
            });

    // The total number of runs is not known, since it depends on the results of the first ones.
    private static string Text(string experiment, WorkPool pool) => $"{experiment}: {pool.Done} of {pool.Planned} runs so far";

    private static async Task<bool> EndsWithin(Task work, TimeSpan time) => await Task.WhenAny(work, Task.Delay(time)) == work;
}
