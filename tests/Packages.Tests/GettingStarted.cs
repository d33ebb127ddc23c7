using System.Text.RegularExpressions;

namespace Packages.Tests;

/// <summary>A thing that a reader of the page does.</summary>
internal abstract record Step;

/// <summary>A file that the page gives, with its path before it.</summary>
internal sealed record FileStep(string Path, string Text) : Step;

/// <summary>Commands that the page gives, with what it says that they print, if it says so.</summary>
internal sealed record CommandStep(string Commands, bool GoesOnRunning, string? Prints) : Step;

/// <summary>
/// docs/getting-started.md as a list of things to do: a block of bash is run, a block with a file's name before it is that file, and a block of text is what
/// the commands before it print.
/// </summary>
internal static partial class GettingStarted
{
    private static readonly string Text =
        File.ReadAllText(Path.Combine(SourceCopy.Repository, "docs", "getting-started.md")).ReplaceLineEndings("\n");

    /// <summary>The number of blocks of the page, however they are read.</summary>
    public static int CountBlocks => Fence().Count(Text) / 2;

    /// <summary>The number of blocks that are read as something to do, or as what that prints.</summary>
    public static int CountUnderstood => Block().Count(Text);

    public static IReadOnlyList<Step> Section(string title)
    {
        var section = Sections().Split("\n" + Text).SkipWhile(part => part != title).Skip(1).FirstOrDefault();
        Assert.True(section is not null, $"docs/getting-started.md has no section \"{title}\"");
        var steps = new List<Step>();
        foreach (Match block in Block().Matches(section))
        {
            var (language, text) = (block.Groups["language"].Value, block.Groups["text"].Value);
            if (language == "bash")
                steps.Add(new CommandStep(text, block.Groups["running"].Success, null));
            else if (language == "text")
                steps[^1] = Assert.IsType<CommandStep>(steps[^1]) with { Prints = text };
            else
                steps.Add(new FileStep(FileOf(block), text));
        }

        Assert.NotEmpty(steps);
        return steps;
    }

    private static string FileOf(Match block)
    {
        Assert.True(block.Groups["file"].Success, $"this block says nowhere which file it is:\n{block.Value}");
        return block.Groups["file"].Value;
    }

    [GeneratedRegex("^```", RegexOptions.Multiline)]
    private static partial Regex Fence();

    [GeneratedRegex(@"\n## (.*)\n")]
    private static partial Regex Sections();

    [GeneratedRegex(@"(?:^`(?<file>[^`\n]+)`:\n)?(?:^<!-- (?:(?<running>goes on running)|snippet: [^\n]*) -->\n)?^```(?<language>\w+)\n(?<text>.*?)^```\n", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Block();
}
