using System.IO.Compression;
using System.Text.Json;

namespace Authors.Editing;

/// <summary>
/// Reads and writes histories in the format of github.com/josephg/editing-traces: <c>{ startContent, endContent, txns: [ { time, patches:
/// [ [position, deletedCount, insertedText], … ] } ] }</c>, plain or compressed.
/// </summary>
internal static class HistoryFile
{
    private const int FlushAfterBytes = 1 << 16;

    private static readonly string[] Extensions = [".json", ".json.gz"];

    /// <summary>All histories of a folder, in the order of their names.</summary>
    /// <exception cref="AuthorsException">The folder has no histories, or one can't be read.</exception>
    public static IReadOnlyList<EditingHistory> ReadFolder(DirectoryInfo folder)
    {
        if (!folder.Exists)
            throw new AuthorsException($"There is no folder {folder.FullName}.");
        var histories = folder.EnumerateFiles()
            .Where(file => Extensions.Any(extension => file.Name.EndsWith(extension, StringComparison.OrdinalIgnoreCase)))
            .OrderBy(file => file.Name, StringComparer.Ordinal)
            .Select(Read)
            .ToList();
        if (histories.Count == 0)
            throw new AuthorsException($"The folder {folder.FullName} holds no histories (*.json, *.json.gz).");
        if (histories.GroupBy(history => history.Name).FirstOrDefault(group => group.Count() > 1) is { } twins)
            throw new AuthorsException($"The folder {folder.FullName} holds two histories named {twins.Key}: they would write one document.");
        return histories;
    }

    public static EditingHistory Read(FileInfo file)
    {
        try
        {
            using Stream stream = file.OpenRead();
            using var plain = file.Extension.Equals(".gz", StringComparison.OrdinalIgnoreCase) ? new GZipStream(stream, CompressionMode.Decompress) : stream;
            using var json = JsonDocument.Parse(plain);
            var root = json.RootElement;
            return new EditingHistory(
                file.Name[..file.Name.IndexOf(".json", StringComparison.OrdinalIgnoreCase)],
                root.GetProperty("startContent").GetString()!,
                root.GetProperty("endContent").GetString()!,
                [.. root.GetProperty("txns").EnumerateArray().Select(ReadKeystroke)]);
        }
        catch (Exception error) when (error is JsonException or KeyNotFoundException or InvalidOperationException or FormatException or InvalidDataException)
        {
            throw new AuthorsException($"{file.FullName} is not an editing history: {error.Message}", error);
        }
    }

    /// <summary>Writes a history, compressed. The same history gives the same bytes.</summary>
    public static void Write(EditingHistory history, FileInfo file)
    {
        using var stream = new GZipStream(file.Create(), CompressionLevel.Optimal);
        using var json = new Utf8JsonWriter(stream);
        json.WriteStartObject();
        json.WriteString("startContent", history.StartContent);
        json.WriteString("endContent", history.EndContent);
        json.WriteStartArray("txns");
        foreach (var keystroke in history.Keystrokes)
        {
            WriteKeystroke(json, keystroke);
            if (json.BytesPending > FlushAfterBytes)
                json.Flush();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteKeystroke(Utf8JsonWriter json, Keystroke keystroke)
    {
        json.WriteStartObject();
        json.WriteString("time", keystroke.Time);
        json.WriteStartArray("patches");
        foreach (var patch in keystroke.Patches)
        {
            json.WriteStartArray();
            json.WriteNumberValue(patch.Position);
            json.WriteNumberValue(patch.Deleted);
            json.WriteStringValue(patch.Inserted);
            json.WriteEndArray();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static Keystroke ReadKeystroke(JsonElement transaction) => new(
        transaction.TryGetProperty("time", out var time) ? time.GetDateTimeOffset() : DateTimeOffset.UnixEpoch,
        [.. transaction.GetProperty("patches").EnumerateArray().Select(patch => new Patch(patch[0].GetInt32(), patch[1].GetInt32(), patch[2].GetString()!))]);
}
