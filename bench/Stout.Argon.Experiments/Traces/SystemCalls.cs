using System.Globalization;
using System.Text.RegularExpressions;
using Stout.Argon.Engine;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Traces;

/// <summary>Reads strace's output: a program's reads, writes and syncs of the files in one folder.</summary>
internal static partial class SystemCalls
{
    /// <summary>The options with which strace writes the output that <see cref="Parse"/> reads.</summary>
    public static IReadOnlyList<string> Options { get; } = ["-f", "-y", "-s", "0", "-e", "trace=pread64,pwrite64,fdatasync,fsync"];

    /// <param name="lines">The lines of strace.</param>
    /// <param name="folder">Calls to files elsewhere are left out.</param>
    /// <param name="block">The bytes of a block.</param>
    /// <param name="largest">The most blocks of one request; longer requests are split.</param>
    public static BlockTrace Parse(IEnumerable<string> lines, string folder, int block, int largest)
    {
        var files = new List<(string Path, long Blocks)>();
        var operations = new List<Operation>();
        (int File, RequestKind Kind, long From, long End)? open = null;
        foreach (var line in Whole(lines))
        {
            if (Call().Match(line) is not { Success: true } call)
                continue;
            // Skips the index of the write-ahead log (-shm): it is shared memory, and its contents are not stored data.
            var path = call.Groups["path"].Value;
            if (!path.StartsWith(folder + "/", StringComparison.Ordinal) || path.EndsWith("-shm", StringComparison.Ordinal))
                continue;
            var file = files.FindIndex(known => known.Path == path);
            if (file < 0)
            {
                file = files.Count;
                files.Add((path, 1));
            }

            if (call.Groups["name"].Value is "fdatasync" or "fsync")
            {
                Close();
                operations.Add(new Operation(RequestKind.Flush, file, 0, 0));
                continue;
            }

            var kind = call.Groups["name"].Value == "pread64" ? RequestKind.Read : RequestKind.Write;
            var (bytes, offset) = (Number("result"), Number("offset"));
            if (bytes == 0)
                continue;
            files[file] = (files[file].Path, Math.Max(files[file].Blocks, (offset + bytes + block - 1) / block));
            // SQLite writes a log record's header and its page by two successive calls; they count as one request.
            if (open is { } last && last.File == file && last.Kind == kind && kind == RequestKind.Write && last.End == offset)
            {
                open = last with { End = offset + bytes };
                continue;
            }

            Close();
            open = (file, kind, offset, offset + bytes);

            long Number(string group) => long.Parse(call.Groups[group].Value, CultureInfo.InvariantCulture);
        }

        Close();
        return new BlockTrace([.. files.Select(file => file.Blocks)], operations);

        void Close()
        {
            if (open is not { } last)
                return;
            open = null;
            var end = (last.End + block - 1) / block;
            for (var first = last.From / block; first < end; first += largest)
                operations.Add(new Operation(last.Kind, last.File, first, (int)Math.Min(largest, end - first)));
        }
    }

    // Joins the two lines that strace prints for a call during which another thread made a call.
    private static IEnumerable<string> Whole(IEnumerable<string> lines)
    {
        var begun = new Dictionary<string, string>();
        foreach (var line in lines)
        {
            var thread = line[..Math.Max(0, line.IndexOf(' ', StringComparison.Ordinal))];
            var cut = line.IndexOf(" <unfinished ...>", StringComparison.Ordinal);
            if (cut >= 0)
                begun[thread] = line[..cut];
            else if (Resumed().Match(line) is { Success: true } resumed && begun.Remove(thread, out var begin))
                yield return begin + line[(resumed.Index + resumed.Length)..];
            else
                yield return line;
        }
    }

    [GeneratedRegex(@"(?<name>pread64|pwrite64|fdatasync|fsync)\(\d+<(?<path>[^>]*)>(, ""[^""]*""(\.\.\.)?, \d+, (?<offset>\d+))?\) += (?<result>\d+)")]
    private static partial Regex Call();

    [GeneratedRegex(@"<\.\.\. \w+ resumed>")]
    private static partial Regex Resumed();
}
