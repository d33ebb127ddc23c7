using System.Text.Json;

namespace Linearizability;

/// <summary>Reads the file of a <see cref="HistoryRecorder"/> as operations.</summary>
public static class History
{
    /// <summary>
    /// Reads the files of several processes. Operations that certainly were not done are left out, and so are reads without an answer. A last line
    /// that is torn, as a killed process may leave it, counts as not written.
    /// </summary>
    public static IReadOnlyList<Operation> Read(params IEnumerable<string> paths) => [.. paths.SelectMany(ReadFile)];

    private static IEnumerable<Operation> ReadFile(string path)
    {
        var begun = new Dictionary<long, HistoryEvent>();
        var ended = new List<Operation>();
        foreach (var line in WholeLines(path))
        {
            var read = JsonSerializer.Deserialize(line, HistoryJson.Default.HistoryEvent)!;
            if (read.Event == HistoryEventKind.Invoke)
                begun.Add(read.Id, read);
            else if (!begun.Remove(read.Id, out var invoked))
                throw new InvalidDataException($"{path}: operation {read.Id} ends and has not begun, or ends twice.");
            else if (read.Event == HistoryEventKind.Return)
                ended.Add(ToOperation(invoked) with { Returned = read.At, Seen = read.Seen, TellsSeen = read.TellsSeen });
        }

        return ended.Concat(begun.Values.Where(invoked => invoked.Kind != OperationKind.Read).Select(ToOperation));
    }

    private static Operation ToOperation(HistoryEvent invoked) => new()
    {
        Client = invoked.Client ?? "",
        Key = invoked.Key ?? "",
        Kind = invoked.Kind,
        Expected = invoked.Expected,
        Value = invoked.Value,
        Invoked = invoked.At,
    };

    private static IEnumerable<string> WholeLines(string path)
    {
        string? held = null;
        foreach (var line in File.ReadLines(path))
        {
            if (held is not null)
                yield return held;
            held = line;
        }

        if (held is not null && EndsWithNewLine(path))
            yield return held;
    }

    private static bool EndsWithNewLine(string path)
    {
        using var file = File.OpenRead(path);
        file.Seek(-1, SeekOrigin.End);
        return file.ReadByte() == '\n';
    }
}
