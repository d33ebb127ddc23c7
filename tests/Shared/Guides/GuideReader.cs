namespace Stout.Tests.Shared.Guides;

/// <summary>Carries out the steps of a guide, and compares the commands' output with the guide's.</summary>
/// <param name="guide">The page.</param>
/// <param name="folder">The folder in which the commands run and the files are created.</param>
/// <param name="environment">Variables of the commands, in addition to those of this process.</param>
internal sealed class GuideReader(Guide guide, string folder, IReadOnlyDictionary<string, string> environment) : IDisposable
{
    private readonly List<Command> _running = [];

    public Guide Guide => guide;

    /// <summary>Carries out the steps of a section. Its services go on running.</summary>
    public async Task FollowAsync(string section)
    {
        foreach (var step in guide.Section(section))
        {
            switch (step)
            {
                case FileStep file:
                    var path = Path.Combine(folder, file.Path);
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

    /// <summary>Runs commands in the folder.</summary>
    /// <returns>The commands' output.</returns>
    public async Task<string> RunAsync(string commands)
    {
        using var command = Start(commands);
        return await command.EndAsync();
    }

    /// <summary>Kills the services that still run. The page promises that acknowledged changes survive a kill.</summary>
    public void KillServices()
    {
        foreach (var command in _running)
            command.Dispose();
        _running.Clear();
    }

    public void Dispose() => KillServices();

    private Command Start(string commands) => new(commands, folder, environment);
}
