using System.Text.RegularExpressions;

namespace Documentation.Tests;

/// <summary>Every link to a heading leads to an existing heading.</summary>
public sealed partial class AnchorTests
{
    public static TheoryData<string> AllPages => [.. Pages.All().Concat(Pages.OfPackages())];

    [Theory]
    [MemberData(nameof(AllPages))]
    public void Every_linked_heading_exists(string page)
    {
        var folder = Path.GetDirectoryName(Path.Combine(Pages.Repository, page))!;
        Assert.All(Link().Matches(Pages.Text(page)), link =>
        {
            var path = link.Groups["path"].Value;
            var target = path.Length == 0 ? page : Path.GetRelativePath(Pages.Repository, Path.GetFullPath(path, folder));
            Assert.Contains(link.Groups["anchor"].Value, AnchorsOf(Pages.Text(target)));
        });
    }

    [Theory]
    [InlineData("# When to use it, and when not", "when-to-use-it-and-when-not")]
    [InlineData("### `Stout` 2.0", "stout-20")]
    [InlineData("## [Limits](limits.md) on time", "limits-on-time")]
    public void Anchors_are_those_of_GitHub(string heading, string anchor) => Assert.Equal([anchor], AnchorsOf(heading));

    private static IEnumerable<string> AnchorsOf(string text) => Heading().Matches(Fence().Replace(text, ""))
        .Select(static heading => Dropped().Replace(LinkText().Replace(heading.Groups["text"].Value.Trim().ToLowerInvariant(), "$1"), "").Replace(' ', '-'));

    [GeneratedRegex(@"\]\((?<path>(?!https?:)[^)#\s]*)#(?<anchor>[^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex("^#+ (?<text>.*)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex("^```.*?^```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Fence();

    [GeneratedRegex(@"\[([^\]]*)\]\([^)]*\)")]
    private static partial Regex LinkText();

    [GeneratedRegex(@"[^\p{L}\p{N} _-]")]
    private static partial Regex Dropped();
}
