using System.Diagnostics;
using System.Text.RegularExpressions;

namespace Documentation.Tests;

/// <summary>The pages' code compiles, and their commands work as the pages say.</summary>
public sealed partial class SnippetTests
{
    public static TheoryData<string> AllPages => [.. Pages.All()];

    public static TheoryData<string> PackagePages => [.. Pages.OfPackages()];

    [Theory]
    [MemberData(nameof(AllPages))]
    public void All_code_of_a_page_stands_in_a_file_that_is_built(string page)
    {
        var snippets = Pages.Snippets(page).ToList();
        Assert.Equal(Pages.CountCSharp(page), snippets.Count);
        Assert.All(snippets, snippet => Assert.Equal(Pages.Region(snippet.Source, snippet.Region), snippet.Code));
    }

    [Theory]
    [MemberData(nameof(PackagePages))]
    public void A_package_has_a_page_whose_code_stands_in_a_file_that_is_built(string page)
    {
        var known = Pages.Regions().ToHashSet();
        Assert.All(Pages.Code(page), code => Assert.Contains(code, known));
        Assert.DoesNotContain(Link().Matches(Pages.Text(page)), link => link.Success);
    }

    [Theory]
    [MemberData(nameof(AllPages))]
    public void Every_link_into_the_repository_leads_somewhere(string page)
    {
        var folder = Path.GetDirectoryName(Path.Combine(Pages.Repository, page))!;
        foreach (Match link in Link().Matches(Pages.Text(page)))
            Assert.True(Path.Exists(Path.Combine(folder, link.Groups["path"].Value)), $"{page}: {link.Value}");
    }

    [Fact]
    public void The_first_example_is_short_and_keeps_its_note_from_run_to_run()
    {
        var (_, _, code) = Assert.Single(Pages.Snippets("README.md"));
        Assert.InRange(code.Split('\n').Count(line => line.Trim().Length > 0 && !line.TrimStart().StartsWith("//", StringComparison.Ordinal)), 1, 15);

        var folder = Directory.CreateTempSubdirectory("stout-readme-");
        try
        {
            Assert.Equal("Note { Text = Milk, Edits = 1 }", RunExample(folder.FullName));
            Assert.Equal("Note { Text = Milk, Edits = 2 }", RunExample(folder.FullName));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static string RunExample(string folder)
    {
        using var process = Process.Start(new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", [Pages.Example])
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
        })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return output.Trim();
    }

    [GeneratedRegex(@"\]\((?<path>(?!https?:|#)[^)#]+)[^)]*\)")]
    private static partial Regex Link();
}
