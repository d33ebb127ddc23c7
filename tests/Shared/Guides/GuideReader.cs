namespace Stout.Tests.Shared.Guides;

/// <summary>Does what a guide says, word for word, and compares what is printed with what the guide says.</summary>
/// <param name="guide">The page.</param>
/// <param name="folder">Where the commands run and the files are made.</param>
/// <param name="environment">Variables that the commands see, beside those of this process.</param>
internal sealed class GuideReader(Guide guide, string folder, IReadOnlyDictionary<string, string> environment) : IDisposable
{
    private readonly List<Command> _running = [];

    public Guide Guide => guide;

    /// <summary>Follows a section from its beginning to its end. Its services go on running.</summary>
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

    /// <summary>Ends what goes on running as roughly as the page allows.</summary>
    public void KillServices()
    {
        foreach (var command in _running)
            command.Dispose();
        _running.Clear();
    }

    public void Dispose() => KillServices();

    private Command Start(string commands) => new(commands, folder, environment);
}
