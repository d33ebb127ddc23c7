using System.Text.RegularExpressions;

namespace Documentation.Tests;

/// <summary>The repository's pages, and the code in them.</summary>
internal static partial class Pages
{
    private static readonly string Output = Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory);

    public static string Repository { get; } = Path.GetFullPath(Path.Combine(Output, "..", "..", "..", "..", ".."));

    public static string Example { get; } = Path.Combine(
        Repository, "tests", "Documentation.Examples", "bin",
        Path.GetFileName(Path.GetDirectoryName(Output)!), Path.GetFileName(Output), "Documentation.Examples.dll");

    /// <summary>README, CHANGELOG, the samples' pages and everything below docs, by their paths from the repository's root.</summary>
    public static IEnumerable<string> All() => Directory.EnumerateFiles(Repository, "*.md")
        .Concat(Directory.EnumerateDirectories(Path.Combine(Repository, "samples")).SelectMany(sample => Directory.EnumerateFiles(sample, "*.md")))
        .Concat(Directory.EnumerateFiles(Path.Combine(Repository, "docs"), "*.md", SearchOption.AllDirectories))
        .Select(path => Path.GetRelativePath(Repository, path));

    /// <summary>The pages that people write, including those of packages and samples, but without the list of changes and without generated tables.</summary>
    public static IEnumerable<string> Written() => All()
        .Where(static page => page != "CHANGELOG.md" && page != Path.Combine("docs", "argon", "evaluation.md") && !page.StartsWith(Path.Combine("docs", "evaluation"), StringComparison.Ordinal))
        .Append(Path.Combine("docs", "evaluation.md"))
        .Concat(OfPackages())
        .Concat(Directory.EnumerateFiles(Path.Combine(Repository, "deploy"), "*.md", SearchOption.AllDirectories).Select(static path => Path.GetRelativePath(Repository, path)));

    /// <summary>Whether a page is in the folder docs.</summary>
    public static bool IsBelowDocs(string page) => page.StartsWith("docs" + Path.DirectorySeparatorChar, StringComparison.Ordinal);

    /// <summary>The pages inside the packages. They contain no remarks and no links into the repository.</summary>
    public static IEnumerable<string> OfPackages() => Directory.EnumerateDirectories(Path.Combine(Repository, "src"))
        .Select(project => Path.GetRelativePath(Repository, Path.Combine(project, "README.md")));

    /// <summary>Every region of every example.</summary>
    public static IEnumerable<string> Regions() => Directory.EnumerateFiles(Path.Combine(Repository, "tests", "Documentation.Examples"), "*.cs")
        .Select(path => Path.GetRelativePath(Repository, path))
        .SelectMany(source => RegionName().Matches(Text(source)).Select(match => Region(source, match.Groups["name"].Value)));

    public static string Text(string page) => File.ReadAllText(Path.Combine(Repository, page)).ReplaceLineEndings("\n");

    /// <summary>Every block of C# in a page that has a source, with the file and region that the page names.</summary>
    public static IEnumerable<(string Source, string Region, string Code)> Snippets(string page) => Snippet().Matches(Text(page))
        .Select(match => (match.Groups["source"].Value, match.Groups["region"].Value, match.Groups["code"].Value));

    /// <summary>Every block of C# in a page, with or without a source.</summary>
    public static IEnumerable<string> Code(string page) => Block().Matches(Text(page)).Select(match => match.Groups["code"].Value);

    /// <summary>The number of blocks of C# in a page, with or without a source.</summary>
    public static int CountCSharp(string page) => CSharp().Count(Text(page));

    /// <summary>A region of a source file, moved to the left margin.</summary>
    public static string Region(string source, string region)
    {
        var lines = Text(source).Split('\n');
        var first = Array.FindIndex(lines, line => line.Trim() == "#region " + region);
        Assert.True(first >= 0, $"{source} has no region {region}");
        var code = lines.Skip(first + 1).TakeWhile(line => line.Trim() != "#endregion").ToList();
        var margin = code.Where(line => line.Length > 0).Min(line => line.Length - line.TrimStart().Length);
        return string.Join('\n', code.Select(line => line.Length > margin ? line[margin..] : "")).Trim('\n') + "\n";
    }

    [GeneratedRegex(@"<!-- snippet: (?<source>\S+)#(?<region>\S+) -->\n```csharp\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Snippet();

    [GeneratedRegex(@"^```csharp\n(?<code>.*?)```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Block();

    [GeneratedRegex(@"^\s*#region (?<name>\S+)$", RegexOptions.Multiline)]
    private static partial Regex RegionName();

    [GeneratedRegex(@"^```csharp$", RegexOptions.Multiline)]
    private static partial Regex CSharp();
}
