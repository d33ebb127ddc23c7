[assembly: AssemblyFixture(typeof(Packages.Tests.Workplace))]

namespace Packages.Tests;

/// <summary>
/// A folder outside the repository where docs/getting-started.md is followed from its beginning: the packages are made, and the
/// folder knows their feed. It has a package folder of its own, so that nothing is found but what the feeds have.
/// </summary>
public sealed class Workplace : IAsyncLifetime
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-packages-");
    private readonly List<Command> _running = [];

    internal SourceCopy Source { get; private set; } = null!;

    internal string Projects => Path.Combine(_folder.FullName, "projects");

    public async ValueTask InitializeAsync()
    {
        Directory.CreateDirectory(Projects);
        Source = CopySource("stout");
        await FollowAsync("The packages");
    }

    /// <summary>Another copy of the source.</summary>
    internal SourceCopy CopySource(string name) => new(Path.Combine(_folder.FullName, name));

    /// <summary>Does what a section of the page says, word for word, and compares what comes out with what the page says.</summary>
    internal async Task FollowAsync(string section)
    {
        foreach (var step in GettingStarted.Section(section))
        {
            switch (step)
            {
                case FileStep file:
                    var path = Path.Combine(Projects, file.Path);
                    Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                    await File.WriteAllTextAsync(path, file.Text);
                    break;
                case CommandStep { GoesOnRunning: true } service:
                    KillServices();
                    _running.Add(Start(service.Commands));
                    await _running[^1].PrintsAsync("Application started");
                    break;
                case CommandStep commands:
                    var output = await RunAsync(commands.Commands);
                    if (commands.Prints is not null)
                        Assert.EndsWith("\n" + commands.Prints, "\n" + output, StringComparison.Ordinal);
                    break;
            }
        }
    }

    /// <summary>Runs commands in the folder of the projects.</summary>
    /// <returns>What they print.</returns>
    internal async Task<string> RunAsync(string commands)
    {
        using var command = Start(commands);
        return await command.EndAsync();
    }

    /// <summary>Ends what goes on running as roughly as the page allows.</summary>
    internal void KillServices()
    {
        foreach (var command in _running)
            command.Dispose();
        _running.Clear();
    }

    public ValueTask DisposeAsync()
    {
        KillServices();
        _folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    private Command Start(string commands) => new(commands, Projects, new Dictionary<string, string>
    {
        ["STOUT"] = Source.Folder,
        ["CI"] = "true",
        ["NUGET_PACKAGES"] = Path.Combine(_folder.FullName, "restored"),
        ["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1",
        ["DOTNET_NOLOGO"] = "1",
        // No compiler or build node outlives its command.
        ["MSBUILDDISABLENODEREUSE"] = "1",
        ["UseSharedCompilation"] = "false",
    });
}
