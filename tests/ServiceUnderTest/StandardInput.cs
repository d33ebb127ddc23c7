using Microsoft.Extensions.Hosting;

namespace ServiceUnderTest;

/// <summary>Takes a test's orders: the name of a mood, confirmed on standard output once it holds, or "Exit".</summary>
internal sealed class StandardInput(MoodSwitch mood, IHostApplicationLifetime lifetime) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _ = Task.Run(ReadAsync, CancellationToken.None); // the console's reader blocks, even where it promises not to
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private async Task ReadAsync()
    {
        while (await Console.In.ReadLineAsync() is { } line)
        {
            if (line == "Exit")
            {
                lifetime.StopApplication();
                return;
            }

            mood.Set(Enum.Parse<Mood>(line));
            await Console.Out.WriteLineAsync($"mood: {line}");
        }
    }
}
