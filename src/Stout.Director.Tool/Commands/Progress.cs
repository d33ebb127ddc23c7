using Spectre.Console;

namespace Stout.Director.Tool.Commands;

/// <summary>Shows the progress of a long run on standard error: a bar on a terminal, elsewhere a line for every tenth.</summary>
internal static class Progress
{
    public static T Show<T>(string what, Func<IProgress<double>, T> run)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });
        if (!console.Profile.Out.IsTerminal)
            return run(new Lines(what, Console.Error));
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

    /// <summary>Writes a line whenever a further tenth is done.</summary>
    internal sealed class Lines(string what, TextWriter writer) : IProgress<double>
    {
        private int _told;

        public void Report(double value)
        {
            // A share such as 0.3 may be slightly less.
            var tenths = (int)(value * 10 + 1e-9);
            if (tenths <= _told)
                return;
            _told = tenths;
            writer.WriteLine($"{what}: {10 * tenths} %");
        }
    }
}
