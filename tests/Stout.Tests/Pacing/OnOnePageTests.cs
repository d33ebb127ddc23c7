using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace Stout.Tests.Pacing;

/// <summary>The default law stays small enough to be read at one sitting.</summary>
public sealed partial class OnOnePageTests
{
    private const int MaxLines = 350;
    private const int MaxColumns = 140;
    private const int MaxConstants = 25;

    private static readonly string[] Source =
        [.. new[] { "DelayLaw.cs", "BaseLatency.cs" }.SelectMany(file => File.ReadAllLines(Path.Combine(Folder(), "../../../src/Stout/Pacing", file)))];

    [Fact]
    public void It_has_no_more_lines_and_no_longer_ones()
    {
        Assert.InRange(Source.Length, 1, MaxLines);
        Assert.All(Source, line => Assert.InRange(line.Length, 0, MaxColumns));
    }

    [Fact]
    public void It_has_few_constants_and_each_says_what_it_bounds()
    {
        var constants = Source.Where(line => line.Contains(" const ", StringComparison.Ordinal)).ToList();
        Assert.InRange(constants.Count, 1, MaxConstants);
        Assert.All(constants, line => Assert.Contains("; ", line, StringComparison.Ordinal));
        Assert.All(constants, line => Assert.Contains("// ", line, StringComparison.Ordinal));
    }

    [Fact]
    public void Every_other_number_is_0_1_2_or_a_half()
    {
        var numbers = Source.Where(line => !line.Contains(" const ", StringComparison.Ordinal))
            .SelectMany(line => Number().Matches(line.Split("//")[0]).Select(match => match.Value)).Distinct();
        Assert.Empty(numbers.Except(["0", "1", "2", "0.5"]));
    }

    private static string Folder([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;

    [GeneratedRegex(@"(?<![\w.])\d[\d_.]*")]
    private static partial Regex Number();
}
