using System.Text.RegularExpressions;

namespace Stout.SqlServer.Tests;

/// <summary>The scripts of all layouts so far, kept in the folder Layouts. Each differs from the next one in its statements.</summary>
public sealed partial class FormerLayoutTests
{
    [Fact]
    public void Script_is_the_one_that_is_kept_for_the_layouts_version()
    {
        var kept = Path.Combine(Repository(), "tests", "Stout.SqlServer.Tests", "Layouts", FormattableString.Invariant($"{Layout.Version}.sql"));

        Assert.True(File.Exists(kept), "A new version of the layout needs its script in Layouts.");
        Assert.Equal(
            StatementsOf(File.ReadAllText(kept)),
            StatementsOf(File.ReadAllText(Path.Combine(Repository(), "deploy", "schemas", "sqlserver", "1.sql"))));
    }

    private static string StatementsOf(string script) => Blanks().Replace(Comment().Replace(script, ""), " ").Trim();

    private static string Repository()
    {
        var directory = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(directory, "Stout.sln")))
            directory = Path.GetDirectoryName(directory)!;
        return directory;
    }

    [GeneratedRegex("--[^\n]*")]
    private static partial Regex Comment();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();
}
