using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;

namespace ServiceUnderTest;

/// <summary>Reads a test's commands: "Exit", or the name of a mood, which is confirmed on standard output when it is set.</summary>
internal sealed class StandardInput(MoodSwitch mood, IHostApplicationLifetime lifetime, IConfiguration configuration) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _ = Task.Run(ReadAsync, CancellationToken.None); // The console's reader blocks, even its asynchronous methods.
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

        if (configuration["Test:EndsWithInput"] == "true")
            lifetime.StopApplication();
    }
}
