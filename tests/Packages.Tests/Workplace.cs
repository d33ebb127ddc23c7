using Stout.Tests.Shared.Guides;

[assembly: AssemblyFixture(typeof(Packages.Tests.Workplace))]

namespace Packages.Tests;

/// <summary>
/// A folder outside the repository in which the tests follow docs/getting-started.md from its beginning: it builds the packages and configures their
/// feed. NuGet uses an empty package folder there, so that it finds only packages of the feeds.
/// </summary>
public sealed class Workplace : IAsyncLifetime
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-packages-");

    internal SourceCopy Source { get; private set; } = null!;

    internal string Projects => Path.Combine(_folder.FullName, "projects");

    internal GuideReader Reader { get; private set; } = null!;

    public async ValueTask InitializeAsync()
    {
        Directory.CreateDirectory(Projects);
        Source = CopySource("stout");
        var guide = new Guide(Path.Combine(SourceCopy.Repository, "docs", "getting-started.md"));
        Reader = new GuideReader(guide, Projects, new Dictionary<string, string>
        {
            ["STOUT"] = Source.Folder,
            ["CI"] = "true",
            ["NUGET_PACKAGES"] = Path.Combine(_folder.FullName, "restored"),
            ["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1",
            ["DOTNET_NOLOGO"] = "1",
            // The build of the solution has run the analyzers.
            ["RunAnalyzersDuringBuild"] = "false",
            // Compiler servers and build nodes must end with their command.
            ["MSBUILDDISABLENODEREUSE"] = "1",
            ["UseSharedCompilation"] = "false",
        });
        await Reader.FollowAsync("The packages");
    }

    /// <summary>Makes another copy of the source.</summary>
    internal SourceCopy CopySource(string name) => new(Path.Combine(_folder.FullName, name));

    /// <summary>Runs commands in the folder of the projects.</summary>
    /// <returns>The commands' output.</returns>
    internal Task<string> RunAsync(string commands) => Reader.RunAsync(commands);

    public ValueTask DisposeAsync()
    {
        Reader?.Dispose();
        _folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }
}
