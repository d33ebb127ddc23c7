using Authors.Replay;
using Spectre.Console;

namespace Authors.Reporting;

/// <summary>Shows how far the authors are: bars on a terminal, otherwise a line now and then.</summary>
internal static class ProgressDisplay
{
    private static readonly TimeSpan BarInterval = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LineInterval = TimeSpan.FromSeconds(5);

    public static Task ShowAsync(IReadOnlyList<Author> authors, Task writing, TextWriter output) =>
        Console.IsOutputRedirected ? ShowLinesAsync(authors, writing, output) : ShowBarsAsync(authors, writing);

    private static async Task ShowLinesAsync(IReadOnlyList<Author> authors, Task writing, TextWriter output)
    {
        var total = authors.Sum(author => (long)author.Keystrokes);
        while (!await EndsWithin(writing, LineInterval))
            await output.WriteLineAsync($"{authors.Sum(author => (long)author.Done):N0} of {total:N0} keystrokes");
        await writing;
    }

    private static Task ShowBarsAsync(IReadOnlyList<Author> authors, Task writing) =>
        AnsiConsole.Progress()
            .Columns(new TaskDescriptionColumn { Alignment = Justify.Left }, new ProgressBarColumn(), new PercentageColumn(), new RemainingTimeColumn())
            .StartAsync(async context =>
            {
                var bars = authors.Select(author => context.AddTask(Markup.Escape(author.Document), maxValue: Math.Max(1, author.Keystrokes))).ToList();
                bool ended;
                do
                {
                    ended = await EndsWithin(writing, BarInterval);
                    foreach (var (bar, author) in bars.Zip(authors))
                        bar.Value = author.Done;
                }
                while (!ended);
                await writing;
            });

    private static async Task<bool> EndsWithin(Task work, TimeSpan time) => await Task.WhenAny(work, Task.Delay(time)) == work;
}
