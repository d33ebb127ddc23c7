using System.Text.RegularExpressions;

namespace Stout.Testing.Tests;

/// <summary>The code in docs/writing-a-proxy.md is the code that passes the suite.</summary>
public sealed partial class WritingAProxyPageTests
{
    private static readonly string Root = FindRoot();
    private static readonly string Page = File.ReadAllText(Path.Combine(Root, "docs", "writing-a-proxy.md"));

    public static TheoryData<string, string> Quotations { get; } =
        new(Quotation().Matches(Page).Select(match => (match.Groups["file"].Value, match.Groups["code"].Value)));

    [Fact]
    public void Every_block_of_code_names_its_file() => Assert.Equal(Page.Split("```csharp").Length - 1, Quotations.Count);

    [Theory]
    [MemberData(nameof(Quotations))]
    public void Quoted_code_is_what_the_file_says(string file, string code)
    {
        var quoted = code.TrimEnd('\n').Split('\n');
        var lines = File.ReadAllLines(Path.Combine(Root, file));

        var isThere = Enumerable.Range(0, lines.Length - quoted.Length + 1)
            .Any(first => Unindent(lines[first..(first + quoted.Length)]).SequenceEqual(quoted));

        Assert.True(isThere, $"{file} does not have these lines:\n{code}");
    }

    private static IEnumerable<string> Unindent(string[] lines)
    {
        var indent = lines.Where(line => line.Length > 0).Select(line => line.Length - line.TrimStart().Length).DefaultIfEmpty().Min();
        return lines.Select(line => line.Length > 0 ? line[indent..] : line);
    }

    private static string FindRoot()
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(directory.FullName, "Stout.sln")))
            directory = directory.Parent ?? throw new InvalidOperationException("The tests don't run inside the repository.");
        return directory.FullName;
    }

    [GeneratedRegex(@"<!-- from (?<file>\S+) -->\n```csharp\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Quotation();
}
