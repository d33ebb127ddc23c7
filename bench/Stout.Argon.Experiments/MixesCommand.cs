using System.CommandLine;
using Stout.Argon.Engine;
using Stout.Argon.Experiments.Figures;

namespace Stout.Argon.Experiments;

/// <summary>
/// The command <c>mixes</c>: runs random mixes of services on the device models, and counts the services that keep their promised throughput.
/// </summary>
internal static class MixesCommand
{
    private static readonly Option<int> Count = new("--count") { Description = "The number of mixes", DefaultValueFactory = _ => 500 };

    private static readonly Option<int> First = new("--first") { Description = "The seed of the first mix; by default the hash of the engine's sources", DefaultValueFactory = _ => Sources };

    private static readonly Option<double> Length = new("--length") { Description = "Multiplies the time of a run; 1 for 620 s of a rotating disk", DefaultValueFactory = _ => 1 };

    private static readonly Option<string?> Device = new("--device") { Description = "Only the mixes on this device: paper, modern, cloud or flash" };

    // A deterministic build computes a module's version from its sources, so each version of the engine gets other mixes.
    private static int Sources => typeof(ArgonCore).Module.ModuleVersionId.GetHashCode() & 0x3fff_ffff;

    public static Command Create()
    {
        var command = new Command("mixes", "Random mixes of 2 to 8 services on all device models.") { Count, First, Length, Device };
        command.SetAction(arguments => Run(arguments.GetValue(First), arguments.GetValue(Count), arguments.GetValue(Length), arguments.GetValue(Device)));
        return command;
    }

    private static void Run(int first, int count, double length, string? device)
    {
        var tallies = new SortedDictionary<string, MixTally>(StringComparer.Ordinal);
        for (var seed = first; seed < first + count; seed++)
        {
            var mix = RandomMix.Of(seed, length);
            var name = mix.Server.Disks[0]().Name;
            if (device is not null && device != name)
                continue;
            if (!tallies.TryGetValue(name, out var tally))
                tallies.Add(name, tally = new MixTally());
            foreach (var line in tally.Add(mix))
                Console.WriteLine($"{seed}: {line}");
            if ((seed + 1 - first) % 25 == 0 || seed + 1 == first + count)
                Print(seed + 1 - first, tallies);
        }
    }

    private static void Print(int mixes, SortedDictionary<string, MixTally> tallies)
    {
        Console.WriteLine($"{mixes} mixes");
        foreach (var (name, tally) in tallies)
            Console.WriteLine(FormattableString.Invariant($"  {name}: {tally.Insulated} insulated, {tally.Kept} keep R - 0.02, {tally.Missed} miss R - 0.05, {tally.Unreported} of them without a report, {tally.FalselyReported} falsely reported, least R {tally.Least:+0.000;-0.000}; {tally.BestEffort} best effort, {tally.Trials} in a trial"));
    }
}
