using System.Diagnostics;
using Authors.Editing;
using Authors.Reporting;

namespace Authors.Replay;

/// <summary>Runs all authors at the same time, and then compares their texts with the service's.</summary>
internal static class Replayer
{
    /// <returns>Whether every document of the service has the expected text.</returns>
    public static async Task<bool> RunAsync(ReplayOptions options, TextWriter output, CancellationToken cancellationToken)
    {
        var histories = HistoryFile.ReadFolder(options.Histories);
        using var client = new DocumentClient(options.Service, options.UnreachableTimeout);
        var authors = histories
            .Select(history => new Author(history, Math.Min(options.Keystrokes ?? int.MaxValue, history.Keystrokes.Count), client))
            .ToList();

        if (!options.VerifyOnly)
            await WriteAsync(authors, options.Pace, client, output, cancellationToken);

        var matches = 0;
        foreach (var author in authors)
        {
            var match = await author.VerifyAsync(cancellationToken);
            matches += match ? 1 : 0;
            await output.WriteLineAsync($"{author.Document}: {(match ? "matches" : "DIFFERS")} after {author.Keystrokes:N0} keystrokes");
        }

        await output.WriteLineAsync($"{matches} of {authors.Count} documents match.");
        return matches == authors.Count;
    }

    private static async Task WriteAsync(List<Author> authors, Pace pace, DocumentClient client, TextWriter output, CancellationToken cancellationToken)
    {
        var before = await client.ReadFiguresAsync(cancellationToken);
        var requestsBefore = client.Requests;
        var began = Stopwatch.GetTimestamp();
        using var oneFails = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var writing = authors.ConvertAll(author => author.WriteAsync(pace, oneFails.Token));
        await ProgressDisplay.ShowAsync(authors, FirstFailureStopsAll(writing, oneFails), output);
        var elapsed = Stopwatch.GetElapsedTime(began);
        var requests = client.Requests - requestsBefore;
        Report.Write(output, authors, elapsed, requests, before, await client.ReadFiguresAsync(cancellationToken));
    }

    private static async Task FirstFailureStopsAll(List<Task> writing, CancellationTokenSource others)
    {
        await foreach (var ended in Task.WhenEach(writing))
        {
            if (!ended.IsCompletedSuccessfully)
                await others.CancelAsync();
        }

        // Throws the first failure, and not the cancellations that it has caused.
        await (writing.Find(task => task.IsFaulted) ?? Task.WhenAll(writing));
    }
}
