using SectionedDocuments.Tests.Processes;
using Stout.Tests.Shared.Guides;

namespace Samples.Tests;

/// <summary>Runs the commands of the samples' pages, exactly as the pages have them.</summary>
public sealed class GuideTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("ShoppingCart", "One process", "Stout__Sqlite__Path")]
    [InlineData("GameState", "Play", "Stout__Sqlite__Path")]
    [InlineData("OrleansDocuments", "One silo", "Stout__Documents__Sqlite__Path")]
    public async Task The_commands_of_a_page_print_what_it_says(string sample, string section, string path)
    {
        using var reader = new GuideReader(
            new Guide(Path.Combine(Programs.Repository, "samples", sample, "README.md")),
            Programs.Repository,
            new Dictionary<string, string>
            {
                [path] = _folder.File("sample.db"),
                // Compiler servers and build nodes must end with their command.
                ["MSBUILDDISABLENODEREUSE"] = "1",
                ["UseSharedCompilation"] = "false",
                // The build of the tests restored with it. Otherwise the commands would write the samples' files anew while other tests start them.
                ["RestoreLockedMode"] = "true",
            });
        await reader.FollowAsync(section);
    }
}
