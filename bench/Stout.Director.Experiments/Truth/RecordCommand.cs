using System.CommandLine;
using System.Globalization;

namespace Stout.Director.Experiments.Truth;

/// <summary>
/// The command <c>director-record</c>: puts an open-loop load that varies on one to four processes of the document service, for Prometheus to scrape. The load is
/// divisible: any process takes any request. <c>tests/servers/telemetry/record.sh</c> records the sample history with it.
/// </summary>
internal static class RecordCommand
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    // Requests under way at a process that is taken out of service are answered before it ends.
    private static readonly TimeSpan LastAnswers = TimeSpan.FromSeconds(6);

    private static readonly Option<int> Minutes = new("--minutes") { Description = "Length of the load", HelpName = "N", DefaultValueFactory = _ => 40 };
    private static readonly Option<int> Port = new("--port") { Description = "Port of the first process; the others have the next ones", HelpName = "N", DefaultValueFactory = _ => 25081 };
    private static readonly Option<int> Seed = new("--seed") { Description = "Seed of the load", HelpName = "N", DefaultValueFactory = _ => 1 };

    public static Command Create()
    {
        var command = new Command("director-record", "Puts a varying load on processes of the document service, for Prometheus to scrape.") { Minutes, Port, Seed };
        command.SetAction((arguments, cancellationToken) => RunAsync(TimeSpan.FromMinutes(arguments.GetValue(Minutes)), arguments.GetValue(Port), arguments.GetValue(Seed), cancellationToken));
        return command;
    }

    private static async Task RunAsync(TimeSpan length, int port, int seed, CancellationToken cancellationToken)
    {
        var time = TimeProvider.System;
        var load = RealLoad.Draw(seed, length, 0.85 * TruthSetup.MostServers * TruthSetup.FullRate);
        var cautious = new CautiousOperator();
        IReadOnlyList<Uri> serving = [];
        using var clients = new Clients((_, _, choice) => [serving[choice % serving.Count]], time, seed);
        var processes = new List<ServiceProcess>();
        try
        {
            await ResizeAsync(cautious.Servers(load, TimeSpan.Zero));
            var start = time.GetTimestamp();
            var requests = clients.RunAsync(load, length, cancellationToken);
            using var timer = new PeriodicTimer(Second, time);
            while (!requests.IsCompleted && await timer.WaitForNextTickAsync(cancellationToken))
                await ResizeAsync(cautious.Servers(load, time.GetElapsedTime(start)));
            await requests;
            await Console.Error.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"{clients.Failed} requests failed."));
        }
        finally
        {
            foreach (var process in processes)
                process.Dispose();
        }

        async Task ResizeAsync(int servers)
        {
            while (processes.Count < servers)
            {
                var process = await ServiceProcess.StartAsync(port + processes.Count, ["--SectionedDocuments:Prometheus=true"], cancellationToken);
                processes.Add(process);
                await clients.FillAsync(process.Address, cancellationToken);
                serving = [.. processes.Select(one => one.Address)];
            }

            while (processes.Count > servers)
            {
                serving = [.. processes.SkipLast(1).Select(one => one.Address)];
                await Task.Delay(LastAnswers, time, cancellationToken);
                processes[^1].Dispose();
                processes.RemoveAt(processes.Count - 1);
            }
        }
    }
}
