using Stout.Experiments.Output;

namespace Stout.Experiments;

/// <summary>One experiment of a program's run: shows its progress, then saves and prints its result.</summary>
internal static class ExperimentRun
{
    public static async Task FinishAsync(string experiment, WorkPool pool, Task<Document> running, ResultFolder folder, bool asJson)
    {
        await ProgressDisplay.ShowAsync(experiment, pool, running);
        var document = await running;
        // Saves without the experiment's token, so that the finished rounds of a stopped experiment are saved too.
        await folder.SaveAsync(document, CancellationToken.None);
        Print(document, asJson);
        pool.CancellationToken.ThrowIfCancellationRequested();
    }

    private static void Print(Document document, bool asJson)
    {
        if (asJson)
        {
            Console.WriteLine(document.Summary().ToJsonString());
            return;
        }

        Console.WriteLine($"{document.Experiment}: {document.Title}");
        foreach (var headline in document.Result.Headlines)
            Console.WriteLine($"  {headline.Name}: {Cell(headline.Ours, headline.Unit, "never")}{(headline.Around.Length == 0 ? "" : $" ({headline.Around})")}{(headline.Paper is null ? "" : $" (paper: {Cell(headline.Paper, headline.Unit, "")})")}");
    }

    private static string Cell(double? value, string unit, string none) => value is null ? none : $"{Table.Text(value)} {unit}".TrimEnd();
}
