using System.Text.RegularExpressions;

namespace Documentation.Tests;

/// <summary>The rules of prose: subjects have names, and sentences are short. Code, identifiers and quotations are exempt.</summary>
public sealed partial class ProseTests
{
    private const int MostWords = 25;

    private static readonly string[] Folders = ["src", "samples", "bench", "tests"];

    // The bytes of these files are the seed of the report in docs/pacing.md, so they must not change.
    private static readonly string[] SeedsOfReports = ["DelayLaw.cs", "BaseLatency.cs"];

    [Fact]
    public void Comments_name_their_subjects() => AssertEmpty(Folders.SelectMany(Sources).SelectMany(source => Offenses(source, Prose.OfComments(Pages.Text(source)))));

    [Fact]
    public void Pages_name_their_subjects() => AssertEmpty(Pages.Written().SelectMany(page => Offenses(page, Prose.OfPage(Pages.Text(page)))));

    [Fact]
    public void Sentences_of_pages_are_short() => AssertEmpty(Pages.Written().SelectMany(page => LongOnes(page, Prose.OfPage(Pages.Text(page)))));

    [Fact]
    public void Sentences_of_comments_in_packages_are_short() => AssertEmpty(Sources("src").Where(static source => !SeedsOfReports.Contains(Path.GetFileName(source))).SelectMany(source => LongOnes(source, Prose.OfComments(Pages.Text(source)))));

    [Theory]
    [InlineData("// Nobody waits.", true)]
    [InlineData("/// <summary>Whoever waits.</summary>", true)]
    [InlineData("/// <summary>What a lane sends.</summary>", true)]
    [InlineData("/// <summary>A lane waits: what it sends comes later.</summary>", true)]
    [InlineData("// The oldest; null if there is none.", true)]
    [InlineData("// That is what the store has.", true)]
    [InlineData("// Looks for what the store has.", false)]
    [InlineData("// What does the store have?", false)]
    [InlineData("/// <summary>A caller that waits; <c>nobody</c> is a user's name.</summary>", false)]
    [InlineData("var nobody = 1;", false)]
    [InlineData("Call(\"nobody\"); // Waits.", false)]
    public void Check_sees_comments_alone(string line, bool isOffense) => Assert.Equal(isOffense, Offenses("", Prose.OfComments(line)).Any());

    [Theory]
    [InlineData("One two. Three four\nfive `six seven`.", "2 4")]
    [InlineData("- One two\n- Three\n\n| a b | c |\n|---|---|\n```\ncode is no prose\n```\nThe end.", "2 1 2 1 2")]
    public void Sentences_are_counted_without_code(string page, string words) =>
        Assert.Equal(words, string.Join(' ', Prose.OfPage(page).Select(static one => Prose.CountWords(one.Sentence)).Where(static count => count > 0)));

    [Theory]
    [InlineData("/// <summary>One two.</summary>\n/// <param name=\"a\">Three.</param>\ncode(); // Four <c>five six</c>.\n// Seven\n// eight.", "2 1 2 2")]
    public void Sentences_of_comments_end_with_their_comments(string source, string words) =>
        Assert.Equal(words, string.Join(' ', Prose.OfComments(source).Select(static one => Prose.CountWords(one.Sentence))));

    private static void AssertEmpty(IEnumerable<string> offenses)
    {
        var found = offenses.ToList();
        Assert.True(found.Count == 0, $"{found.Count}:\n{string.Join('\n', found)}");
    }

    private static IEnumerable<string> Sources(string folder) =>
        Directory.EnumerateFiles(Path.Combine(Pages.Repository, folder), "*.cs", SearchOption.AllDirectories)
            .Where(path => !path.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
            .Select(path => Path.GetRelativePath(Pages.Repository, path))
            .Where(path => Path.GetFileName(path) != $"{nameof(ProseTests)}.cs");

    private static IEnumerable<string> Offenses(string file, IEnumerable<(int Line, string Sentence)> sentences) => sentences
        .Where(static one => Banned().IsMatch(one.Sentence))
        .Select(one => $"{file}:{one.Line}: {one.Sentence}");

    private static IEnumerable<string> LongOnes(string file, IEnumerable<(int Line, string Sentence)> sentences) => sentences
        .Where(static one => Prose.CountWords(one.Sentence) > MostWords)
        .Select(one => $"{file}:{one.Line}: {Prose.CountWords(one.Sentence)} words: {one.Sentence}");

    // Actors without a name; and "what" that begins a statement, or ends one as its predicate. A question may begin so.
    [GeneratedRegex(
        @"\b(nobody|whoever|somebody|anybody|everybody|someone|anyone|no one|who|whom|none)\b|^\W*what\b(?! to\b)(?!.*\?)|[;:(] *what\b|\b(is|are|was|were|be|becomes?|means?) what\b",
        RegexOptions.IgnoreCase)]
    private static partial Regex Banned();
}
