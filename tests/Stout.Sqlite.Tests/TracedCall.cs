using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace Stout.Sqlite.Tests;

/// <summary>A system call in a trace of strace that changes a file, or that tells of an acknowledgement on the standard output.</summary>
/// <param name="Name">The call.</param>
/// <param name="File">The name of the file without its directory.</param>
/// <param name="Data">The bytes of a write; otherwise null.</param>
/// <param name="Number">The place of a write, or the length of a truncation.</param>
internal sealed partial record TracedCall(string Name, string File, byte[]? Data, long Number)
{
    public bool IsAcknowledgement { get; private init; }

    public long Acknowledged => long.Parse(Encoding.UTF8.GetString(Data!), CultureInfo.InvariantCulture);

    /// <returns>The call; null for a line without such a call.</returns>
    public static TracedCall? Parse(string line)
    {
        if (Call().Match(line) is not { Success: true } match)
            return null;
        var name = match.Groups["name"].Value;
        var file = Encoding.UTF8.GetString(Bytes(match.Groups["file"].Value));
        var data = match.Groups["data"] is { Success: true } bytes ? Bytes(bytes.Value) : null;
        var number = long.TryParse(match.Groups["number"].Value, CultureInfo.InvariantCulture, out var found) ? found : 0;
        if (name == "write")
        {
            return data is [.., (byte)'\n'] && long.TryParse(Encoding.UTF8.GetString(data), CultureInfo.InvariantCulture, out _)
                ? new TracedCall(name, file, data, 0) { IsAcknowledgement = true }
                : null;
        }

        var place = file.LastIndexOf('/');
        return file.Contains("docs.db", StringComparison.Ordinal) ? new TracedCall(name, file[(place + 1)..], data, number) : null;
    }

    // The argument -xx lets strace show each byte of a string as \x and two digits.
    private static byte[] Bytes(string text) => text.Contains("\\x", StringComparison.Ordinal)
        ? Convert.FromHexString(text.Replace("\\x", "", StringComparison.Ordinal))
        : Encoding.UTF8.GetBytes(text);

    [GeneratedRegex("""^\d+ +(?<name>write|pwrite64|ftruncate|fsync|fdatasync|unlink)\((\d+<(?<file>[^>]*)>|"(?<file>[^"]*)")(, "(?<data>[^"]*)", \d+)?(, (?<number>\d+))?""")]
    private static partial Regex Call();
}
