using System.Globalization;
using System.Text.RegularExpressions;

namespace SectionedDocuments.Tests.Durability;

/// <summary>
/// Runs a command under strace, and reads the trace. A call's line is at the place where the call was entered. If another thread's call came before the
/// return, the line ends in "unfinished", and a "resumed" line is at the place of the return. So the lines show the order of entries and returns.
/// </summary>
internal static partial class Strace
{
    private const string Calls = "fdatasync,fsync,pwrite64,write,writev,sendto,sendmsg,read,readv,recvfrom,recvmsg";

    /// <summary>The command under strace. The trace has all threads, the paths of descriptors, and all bytes of the longest log write in hex.</summary>
    public static IEnumerable<string> Command(string log, IEnumerable<string> command) =>
        ["strace", "-f", "-tt", "-y", "-xx", "-s", "131072", "--seccomp-bpf", "-e", "trace=" + Calls, "-e", "signal=none", "-o", log, .. command];

    public static IReadOnlyList<SystemCall> Parse(IEnumerable<string> lines)
    {
        var calls = new List<SystemCall>();
        var unfinished = new Dictionary<string, (string Text, int Line)>();
        var number = 0;
        foreach (var line in lines)
        {
            number++;
            var match = Line().Match(line);
            if (!match.Success)
                continue;
            var (thread, text, entered) = (match.Groups["thread"].Value, match.Groups["text"].Value, number);
            if (text.EndsWith(" <unfinished ...>", StringComparison.Ordinal))
            {
                unfinished[thread] = (text[..^" <unfinished ...>".Length], number);
                continue;
            }

            if (Resumed().Match(text) is { Success: true } resumed)
            {
                if (!unfinished.Remove(thread, out var begun))
                    continue;
                (text, entered) = (begun.Text + text[resumed.Length..], begun.Line);
            }

            if (Read(text, entered, number) is { } call)
                calls.Add(call);
        }

        calls.AddRange(unfinished.Values.Select(begun => Read(begun.Text, begun.Line, int.MaxValue)).OfType<SystemCall>());
        return [.. calls.OrderBy(call => call.Entered)];
    }

    private static SystemCall? Read(string text, int entered, int returned)
    {
        var match = Call().Match(text);
        if (!match.Success)
            return null;
        var data = Hex().Matches(text, match.Length)
            .SelectMany(quoted => Convert.FromHexString(quoted.Groups["bytes"].Value.Replace("\\x", "", StringComparison.Ordinal)))
            .ToArray();
        long? result = Result().Match(text) is { Success: true } found ? long.Parse(found.Groups["result"].Value, CultureInfo.InvariantCulture) : null;
        return new SystemCall(match.Groups["name"].Value, Unescape(match.Groups["file"].Value), data, result, entered, returned)
        {
            Offset = Place().Match(text) is { Success: true } place ? long.Parse(place.Groups["offset"].Value, CultureInfo.InvariantCulture) : 0,
        };
    }

    /// <summary>Decodes a path, since strace writes paths in hex if it writes strings in hex.</summary>
    private static string Unescape(string file) =>
        Byte().Replace(file, hex => ((char)Convert.ToByte(hex.Groups["byte"].Value, 16)).ToString());

    [GeneratedRegex(@"^(?<thread>\d+)\s+[\d:.]+\s+(?<text>.*)$")]
    private static partial Regex Line();

    [GeneratedRegex(@"^<\.\.\. \w+ resumed>")]
    private static partial Regex Resumed();

    [GeneratedRegex(@"^(?<name>\w+)\(\d+<(?<file>[^>]*)>")]
    private static partial Regex Call();

    [GeneratedRegex("\"(?<bytes>(?:\\\\x[0-9a-f]{2})*)\"")]
    private static partial Regex Hex();

    [GeneratedRegex(@"\\x(?<byte>[0-9a-f]{2})")]
    private static partial Regex Byte();

    [GeneratedRegex(@"^pwrite64\(.*, (?<offset>\d+)\) += ")]
    private static partial Regex Place();

    [GeneratedRegex(@"\) += (?<result>-?\d+)")]
    private static partial Regex Result();
}
