using System.Globalization;

namespace Stout.Benchmarks.Grains;

/// <summary>The processor time of a server's processes on this machine, those that have ended included.</summary>
internal static class ServerProcessor
{
    private const string Server = "postgres";

    /// <summary>Linux counts in hundredths of a second.</summary>
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(10);

    public static TimeSpan Used
    {
        get
        {
            long used = 0;
            foreach (var process in Directory.EnumerateDirectories("/proc").Where(folder => char.IsDigit(Path.GetFileName(folder)[0])))
            {
                try
                {
                    var text = File.ReadAllText(Path.Combine(process, "stat"));
                    var end = text.LastIndexOf(')');
                    if (text[(text.IndexOf('(', StringComparison.Ordinal) + 1)..end] != Server)
                        continue;
                    // After the name come state, parent and so on: the process's own time stands 11 and 12 fields on, that of its ended children behind it.
                    used += text[(end + 2)..].Split(' ')[11..15].Sum(ticks => long.Parse(ticks, CultureInfo.InvariantCulture));
                }
                catch (IOException)
                {
                    // The process has ended.
                }
            }

            return used * Tick;
        }
    }
}
