using System.Text.RegularExpressions;

namespace Stout.Tests.Shared.Guides;

/// <summary>
/// A page as a list of steps. A block of bash is run. A block with a file's name before it is that file's content. A block of text is the output of the
/// commands before it.
/// </summary>
/// <param name="path">The page's path.</param>
internal sealed partial class Guide(string path)
{
    private readonly string _text = File.ReadAllText(path).ReplaceLineEndings("\n");

    /// <summary>The number of all blocks of the page.</summary>
    public int CountBlocks => Fence().Count(_text) / 2;

    /// <summary>The number of blocks that are recognized as a step, or as a step's output.</summary>
    public int CountUnderstood => Block().Count(_text);

    public IReadOnlyList<Step> Section(string title)
    {
        var section = Sections().Split("\n" + _text).SkipWhile(part => part != title).Skip(1).FirstOrDefault();
        Assert.True(section is not null, $"{path} has no section \"{title}\"");
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
