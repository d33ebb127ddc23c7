using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Editing;

/// <summary>The folders of editing histories.</summary>
internal static class Histories
{
    public const string WhyNotReal = "No real editing histories: STOUT_HISTORIES names no folder, and ../shared/data/editing-traces is not there.";

    public static DirectoryInfo OfOurOwn { get; } = new(Path.Combine(Programs.Repository, "samples", "Authors", "histories"));

    /// <summary>The histories of github.com/josephg/editing-traces (sequential_traces/ascii_only), or null on a machine without them.</summary>
    public static DirectoryInfo? Real { get; } = Find(Environment.GetEnvironmentVariable("STOUT_HISTORIES"))
        ?? Find(Path.Combine(Programs.Repository, "..", "shared", "data", "editing-traces"));

    private static DirectoryInfo? Find(string? folder) => Directory.Exists(folder) ? new DirectoryInfo(folder) : null;
}
