using Spectre.Console;

namespace Stout.Director.Tool.Commands;

/// <summary>Shows the progress of a long run on standard error.</summary>
internal static class Progress
{
    public static T Show<T>(string what, Func<IProgress<double>, T> run)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });
        if (!console.Profile.Out.IsTerminal)
            return run(new Nothing());
        T result = default!;
        console.Progress().Start(progress =>
        {
            var task = progress.AddTask(Markup.Escape(what), maxValue: 1);
            result = run(new Bar(task));
        });
        return result;
    }

    private sealed class Bar(ProgressTask task) : IProgress<double>
    {
        public void Report(double value) => task.Value = value;
    }

    private sealed class Nothing : IProgress<double>
    {
        public void Report(double value)
        {
        }
    }
}
