using System.Diagnostics;
using Authors.Editing;
using Authors.Sections;

namespace Authors.Replay;

/// <summary>Writes one document again, according to its history. Each keystroke starts after the one before is durable.</summary>
internal sealed class Author(EditingHistory history, int keystrokes, DocumentClient client)
{
    private readonly List<double> _latencies = new(keystrokes);
    private int _done;

    public string Document => history.Name;

    public int Keystrokes => keystrokes;

    /// <summary>The number of keystrokes acknowledged so far; may be read while the author writes.</summary>
    public int Done => Volatile.Read(ref _done);

    /// <summary>The latency of each acknowledged keystroke in milliseconds; not to be read while the author writes.</summary>
    public IReadOnlyList<double> Latencies => _latencies;

    /// <summary>The time from the first keystroke until the last one was acknowledged.</summary>
    public TimeSpan Elapsed { get; private set; }

    /// <summary>Writes the document from its beginning, after deleting an older document of its name.</summary>
    public async Task WriteAsync(Pace pace, CancellationToken cancellationToken)
    {
        var text = new SectionedText(history.StartContent);
        await client.DeleteDocumentAsync(Document, cancellationToken);
        await SendAsync(text.TakeChanges(), cancellationToken);

        var began = Stopwatch.GetTimestamp();
        foreach (var (keystroke, recordedStart) in history.Keystrokes.Zip(Pace.RecordedStarts(history)).Take(keystrokes))
        {
            var intended = Stopwatch.GetElapsedTime(began);
            if (pace.Speed is { } speed)
                intended = await WaitUntilAsync(recordedStart / speed, began, cancellationToken);
            foreach (var patch in keystroke.Patches)
                text.Apply(patch);
            await SendAsync(text.TakeChanges(), cancellationToken);
            _latencies.Add((Stopwatch.GetElapsedTime(began) - intended).TotalMilliseconds);
            Volatile.Write(ref _done, _done + 1);
        }

        Elapsed = Stopwatch.GetElapsedTime(began);
    }

    /// <summary>Whether the document in the service has the text that results from the keystrokes.</summary>
    public async Task<bool> VerifyAsync(CancellationToken cancellationToken)
    {
        var expected = keystrokes == history.Keystrokes.Count ? history.EndContent : TextAfterKeystrokes();
        return await client.ReadAsync(Document, cancellationToken) == expected;
    }

    private string TextAfterKeystrokes()
    {
        var text = new SectionedText(history.StartContent);
        foreach (var patch in history.Keystrokes.Take(keystrokes).SelectMany(keystroke => keystroke.Patches))
            text.Apply(patch);
        return text.ToString();
    }

    /// <summary>Sends a keystroke's changes in parallel, since sections are independent of each other.</summary>
    private Task SendAsync(IReadOnlyList<SectionChange> changes, CancellationToken cancellationToken) =>
        Task.WhenAll(changes.Select(change => change.Text is { } text
            ? client.PutAsync(Document, change.Name, text, cancellationToken)
            : client.DeleteAsync(Document, change.Name, cancellationToken)));

    /// <summary>
    /// Waits until the intended start of a keystroke, and returns that time. A keystroke's latency counts from it, so it includes the time for which late
    /// answers to earlier keystrokes have delayed the author.
    /// </summary>
    private static async Task<TimeSpan> WaitUntilAsync(TimeSpan intended, long began, CancellationToken cancellationToken)
    {
        var ahead = intended - Stopwatch.GetElapsedTime(began);
        if (ahead > TimeSpan.Zero)
            await Task.Delay(ahead, cancellationToken);
        return intended;
    }
}
