using System.Text.RegularExpressions;

namespace Documentation.Tests;

/// <summary>Bounds on the length of pages. Tables, lists and code count; pictures, links' addresses and remarks do not.</summary>
public sealed partial class WordTests
{
    private const int MostOfPage = 2_000;
    private static readonly string Evaluation = Path.Combine("docs", "evaluation.md");
    private static readonly string Architecture = Path.Combine("docs", "architecture.md");

    [Fact]
    public void The_first_screen_of_the_readme_is_short()
    {
        var readme = Pages.Text("README.md");
        AssertAtMost(350, "the first screen of README.md", Count(readme[..readme.IndexOf("\n## ", StringComparison.Ordinal)]));
    }

    [Fact]
    public void Stouts_own_pages_are_short_together() =>
        AssertAtMost(17_500, "Stout's own pages", Pages.Written().Where(static page => Pages.IsBelowDocs(page) && page != Evaluation && page != Architecture && PackageOf(page) is null).Sum(static page => Count(Pages.Text(page))));

    [Theory]
    [InlineData("Director")]
    [InlineData("Argon")]
    [InlineData("Orleans")]
    public void The_pages_of_a_later_package_are_short_together(string package) =>
        AssertAtMost(4_000, $"the pages of {package}", Pages.Written().Where(page => PackageOf(page) == package).Sum(static page => Count(Pages.Text(page))));

    [Fact]
    public void No_written_page_is_long() => Assert.All(Pages.Written(), static page => AssertAtMost(MostOfPage, page, Count(Pages.Text(page))));

    [Fact]
    public void The_evaluation_is_short() => AssertAtMost(3_000, Evaluation, Count(Pages.Text(Evaluation)));

    [Fact]
    public void The_contributors_page_is_short() => AssertAtMost(1_500, Architecture, Count(Pages.Text(Architecture)));

    [Theory]
    [InlineData("One [two](three.md) `four`.\n\n![five](six.svg) <!-- seven -->", 3)]
    [InlineData("| one | two |\n|---|---|\n```\nthree\n```", 3)]
    public void Words_are_counted_without_pictures_and_addresses(string page, int words) => Assert.Equal(words, Count(page));

    private static void AssertAtMost(int most, string what, int words) => Assert.True(words <= most, $"{what}: {words} words, {most} allowed");

    private static string? PackageOf(string page) =>
        page.StartsWith(Path.Combine("docs", "director"), StringComparison.Ordinal) || page.Contains("Stout.Director", StringComparison.Ordinal) ? "Director"
        : page.StartsWith(Path.Combine("docs", "argon"), StringComparison.Ordinal) || page.Contains("Stout.Argon", StringComparison.Ordinal) ? "Argon"
        : Path.GetFileNameWithoutExtension(page) is "orleans" or "moving-to-orleans" or "orleans-stops" or "orleans-providers" or "orleans-data" || page.Contains("Stout.Orleans", StringComparison.Ordinal) ? "Orleans"
        : null;

    private static int Count(string page) => Prose.CountWords(Address().Replace(Invisible().Replace(page, " "), "]").ReplaceLineEndings(" "));

    [GeneratedRegex(@"<!--.*?-->|!\[(?:[^\[\]]|\[[^\]]*\])*\]\([^)]*\)", RegexOptions.Singleline)]
    private static partial Regex Invisible();

    [GeneratedRegex(@"\]\([^)]*\)")]
    private static partial Regex Address();
}
