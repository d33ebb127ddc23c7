using System.Text.RegularExpressions;

namespace Documentation.Tests;

/// <summary>The words that comments and pages avoid: subjects without a name. Code, identifiers and quotations are not looked at.</summary>
public sealed partial class ProseTests
{
    private static readonly string[] Folders = ["src", "bench", "samples", "tests"];

    [Fact]
    public void Comments_and_pages_name_their_subjects()
    {
        var found = Pages.All().Concat(Pages.OfPackages()).SelectMany(page => Offenses(page, Prose(Pages.Text(page))))
            .Concat(Folders.SelectMany(Sources).SelectMany(source => Offenses(source, Comments(Pages.Text(source)))))
            .ToList();
        Assert.True(found.Count == 0, string.Join('\n', found));
    }

    [Theory]
    [InlineData("// Nobody waits.", true)]
    [InlineData("/// <summary>Whoever waits.</summary>", true)]
    [InlineData("/// <summary>A caller that waits; <c>nobody</c> is a user's name.</summary>", false)]
    [InlineData("var nobody = 1;", false)]
    [InlineData("Call(\"nobody\"); // Waits.", false)]
    public void Check_sees_comments_alone(string line, bool isOffense) => Assert.Equal(isOffense, Offenses("", Comments(line)).Any());

    private static IEnumerable<string> Sources(string folder) =>
        Directory.EnumerateFiles(Path.Combine(Pages.Repository, folder), "*.cs", SearchOption.AllDirectories)
            .Where(path => !path.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
            .Select(path => Path.GetRelativePath(Pages.Repository, path))
            .Where(path => Path.GetFileName(path) != $"{nameof(ProseTests)}.cs");

    /// <summary>The lines of a page, empty where they are code.</summary>
    private static IEnumerable<string> Prose(string page)
    {
        var isCode = false;
        foreach (var line in page.Split('\n'))
        {
            isCode ^= line.StartsWith("```", StringComparison.Ordinal);
            yield return isCode ? "" : line;
        }
    }

    /// <summary>The comments of a file, line by line.</summary>
    private static IEnumerable<string> Comments(string source) => source.Split('\n').Select(line => Comment().Match(line).Value);

    private static IEnumerable<string> Offenses(string file, IEnumerable<string> lines) => lines
        .Select((line, index) => (Line: Quoted().Replace(line, ""), Number: index + 1))
        .Where(line => Banned().IsMatch(line.Line))
        .Select(line => $"{file}:{line.Number}: {line.Line.Trim()}");

    [GeneratedRegex(@"\b(nobody|whoever|somebody|anybody|everybody|someone|anyone|no one|who|whom)\b", RegexOptions.IgnoreCase)]
    private static partial Regex Banned();

    [GeneratedRegex(@"`[^`]*`|<c>.*?</c>|""[^""]*""|“[^”]*”")]
    private static partial Regex Quoted();

    // A comment begins the line, or follows code and a space; an address in a string has no space before it.
    [GeneratedRegex(@"(^|\s)//.*$")]
    private static partial Regex Comment();
}
