using System.CommandLine;
using System.Globalization;
using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Tool.WhatIf;

namespace Stout.Director.Experiments.Truth;

/// <summary>
/// The command <c>director-truth</c>: does what-if foretell real runs? Processes of the document service, whose capacity is timers, serve two drawn loads. First
/// four servers serve each load beside a Director that only observes. From that recording what-if tells what the Director would do. Then it does it.
/// </summary>
internal static class TruthCommand
{
    private static readonly TimeSpan LongestOver = TimeSpan.FromMinutes(5);

    private static readonly Option<int> Seconds = new("--seconds") { Description = "Length of each load, in whole intervals of 20 s", HelpName = "N", DefaultValueFactory = _ => 300 };
    private static readonly Option<int> Level = new("--level") { Description = "Seconds for each of the 18 loads of the benchmark", HelpName = "N", DefaultValueFactory = _ => 10 };
    private static readonly Option<int> Seed = new("--seed") { Description = "Seed of the first load; the second has the next", HelpName = "N", DefaultValueFactory = _ => 1 };
    private static readonly Option<int> Loads = new("--loads") { Description = "The number of loads", HelpName = "N", DefaultValueFactory = _ => 2 };
    private static readonly Option<DirectoryInfo> Out = new("--out") { Description = "Folder for model and recordings", HelpName = "DIR", DefaultValueFactory = _ => new DirectoryInfo("artifacts/director-truth") };

    public static Command Create()
    {
        var command = new Command("director-truth", "Compares what-if of the Director with real runs of the document service on this machine.") { Seconds, Level, Seed, Loads, Out };
        command.SetAction((arguments, cancellationToken) => RunAsync(arguments, cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var (seconds, level, seed, loads) = (arguments.GetValue(Seconds), arguments.GetValue(Level), arguments.GetValue(Seed), arguments.GetValue(Loads));
        if (seconds < 40 || seconds % 20 != 0 || level < 2 || loads < 1)
        {
            await Console.Error.WriteLineAsync("--seconds has to be a multiple of 20, at least 40; --level at least 2; --loads at least 1.");
            return 1;
        }

        // The runs end by themselves: at the latest some minutes after their load.
        var length = TimeSpan.FromSeconds(seconds);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter((length * 2 * loads) + TimeSpan.FromSeconds(18 * 1.5 * level) + LongestOver);
        var folder = arguments.GetRequiredValue(Out);
        folder.Create();
        var time = TimeProvider.System;
        var model = await Benchmark.RunAsync(TimeSpan.FromSeconds(level), time, seed, Console.Out, limit.Token);
        await using (var file = File.Create(Path.Combine(folder.FullName, "slots.json")))
            model.Write(file);
        Console.WriteLine(Invariant($"a server can do {model.Type.SteadyState.Capacity(0.95):0} requests/s at 95/5, {model.Type.SteadyState.Capacity(0.6):0} at 60/40"));
        for (var number = 0; number < loads; number++)
            await CompareAsync(model, RealLoad.Draw(seed + number, length, TruthSetup.Peak), Path.Combine(folder.FullName, Invariant($"load-{seed + number}")), seed + number, time, limit.Token);
        return 0;
    }

    private static async Task CompareAsync(ModelFile model, RealLoad load, string path, int seed, TimeProvider time, CancellationToken cancellationToken)
    {
        RealRun observed, real;
        var observer = TruthSetup.Policy with { Mode = DirectorMode.Observe };
        await using (var file = File.Create(path + "-observed.rec"))
            observed = await RealRun.RunAsync(load, observer, model, TruthSetup.MostServers, file, time, seed, cancellationToken);
        Recording recording;
        await using (var file = File.OpenRead(path + "-observed.rec"))
            recording = Recording.Read(file);
        var foretold = Comparison.Make(recording, TruthSetup.Objective, [model], seed, new Progress<double>(), cancellationToken).Rows[0].Result;
        await using (var file = File.Create(path + "-real.rec"))
            real = await RealRun.RunAsync(load, TruthSetup.Policy, model, foretold.Intervals[0].Servers, file, time, seed + 100, cancellationToken);

        // The recording begins with the warm-up of the real run.
        var intervals = foretold.Intervals.TakeLast((int)(load.Length / SimulationResult.Interval)).ToList();
        var shares = (foretold with { Intervals = intervals }).SlowShares(TruthSetup.Objective.Interval).ToList();
        var attained = SimulationResult.AttainedBy(shares);
        var (mean, most) = (intervals.Average(interval => interval.Servers), intervals.Max(interval => interval.Servers));
        var steps = Step(real.Attained) - Step(attained);
        // Below every percentile, what-if and the real run cannot be told apart.
        var says = Math.Max(Step(real.Attained), Step(attained)) > 0;
        var holds = says && Math.Abs(real.MeanServers - mean) <= 1 && Math.Abs(real.MostServers - most) <= 1 && Math.Abs(steps) <= 1;
        var rates = Enumerable.Range(0, (int)load.Length.TotalSeconds).Select(second => load.Rate(second)).ToList();
        Console.WriteLine(Invariant($"load {seed}: {rates.Min():0} to {rates.Max():0} requests/s, {100 * load.GetShare:0} % reads"));
        Console.WriteLine(Invariant($"  observed: {observed.MeanServers:0.00} servers, at most {observed.MostServers}, {Reads(observed.Attained, observed.Slow)}, {observed.Failed} failed"));
        Console.WriteLine(Invariant($"  what-if:  {mean:0.00} servers, at most {most}, {Reads(attained, shares.Average())}"));
        Console.WriteLine(Invariant($"  real:     {real.MeanServers:0.00} servers, at most {real.MostServers}, {Reads(real.Attained, real.Slow)}, {real.Failed} failed"));
        // All servers together have room for the load: if they miss the objective, it is the machine.
        if (observed.Attained < TruthSetup.Objective.Percentile)
            Console.WriteLine("  the machine was disturbed: all servers together, which have room for the load, missed the objective");
        Console.WriteLine(!says ? "  says nothing: neither attains any percentile" : holds ? "  holds: servers ± 1, attained percentile ± one step" : Invariant($"  FAILS: servers {real.MeanServers - mean:+0.00;-0.00}, at most {real.MostServers - most:+0;-0;0}, attained percentile {steps:+0;-0;0} steps"));
    }

    private static string Reads(double attained, double slow) => Invariant($"attained {(attained > 0 ? Invariant($"{attained}") : "below 50")}, {100 * slow:0.00} % slow");

    private static int Step(double attained) => SimulationResult.Percentiles.Count(percentile => percentile <= attained);

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
