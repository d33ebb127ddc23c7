using System.CommandLine;
using System.Globalization;

namespace Stout.Argon.Experiments.Disks;

/// <summary>
/// The command <c>disk FOLDER</c>: measures insulation on a real disk. bench/Stout.Argon.Experiments/disk.sh makes the disk, with caps on requests and bytes per second.
/// </summary>
internal static class DiskCommand
{
    private static readonly Argument<DirectoryInfo> Folder = new("folder") { Description = "A folder on the disk; it takes 6 GB" };

    private static readonly Option<FileInfo?> Group = new("--cgroup-procs") { Description = "Joins a control group by this file when the data is written, so that its caps hold from then on" };

    private static readonly Option<int> Rounds = new("--rounds") { Description = "The rounds", DefaultValueFactory = _ => 7 };

    private static readonly Option<double> Seconds = new("--seconds") { Description = "The length of one run", DefaultValueFactory = _ => 3 };

    private static int s_seed;

    public static Command Create()
    {
        var command = new Command("disk", "Two streams, cached random reads beside a stream, and 27 requests in flight against 1 on a real disk.") { Folder, Group, Rounds, Seconds };
        command.SetAction(arguments => RunAsync(arguments.GetRequiredValue(Folder).FullName, arguments.GetValue(Group), arguments.GetValue(Rounds), TimeSpan.FromSeconds(arguments.GetValue(Seconds))));
        return command;
    }

    private static async Task RunAsync(string folder, FileInfo? group, int rounds, TimeSpan length)
    {
        await DiskVariant.PrepareAsync(folder, 2).ConfigureAwait(false);
        if (group is not null)
            await File.WriteAllTextAsync(group.FullName, Environment.ProcessId.ToString(CultureInfo.InvariantCulture)).ConfigureAwait(false);
        foreach (var (name, services) in DiskLoad.Mixes)
        {
            using var insulated = await DiskVariant.EngineAsync(folder, true, services).ConfigureAwait(false);
            using var twin = await DiskVariant.EngineAsync(folder, false, services).ConfigureAwait(false);
            using var plain = DiskVariant.Plain(folder, 2);
            DiskVariant[] variants = [insulated, twin, plain];
            foreach (var variant in variants)
                Measure(variant, services, [0, 1], TimeSpan.FromSeconds(14));
            var fractions = variants.ToDictionary(variant => variant.Name, _ => services.Select(_ => new List<double>()).ToList());
            for (var round = 0; round < rounds; round++)
            {
                for (var i = 0; i < variants.Length; i++)
                {
                    var variant = variants[(i + round) % variants.Length];
                    var together = Measure(variant, services, [0, 1], length);
                    for (var service = 0; service < services.Count; service++)
                        fractions[variant.Name][service].Add(together[service] / Measure(variant, services, [service], length)[service]);
                }
            }

            Console.WriteLine($"## {name}\n{insulated.Report()}\n\n| service | {string.Join(" | ", variants.Select(variant => variant.Name))} |\n|---|---|---|---|");
            for (var service = 0; service < services.Count; service++)
                Console.WriteLine($"| {services[service].Name} | {string.Join(" | ", variants.Select(variant => Spread(fractions[variant.Name][service])))} |");
            Console.WriteLine();
        }
    }

    // Returns the reads per second of each service, while the services in `active` run together.
    private static double[] Measure(DiskVariant variant, IReadOnlyList<DiskLoad> services, int[] active, TimeSpan length)
    {
        var reads = new long[services.Count];
        for (var service = 0; service < services.Count; service++)
        {
            if (services[service].Hot == 0)
                variant.Forget(service);
        }

        using var end = new CancellationTokenSource();
        var threads = new List<Thread>();
        foreach (var service in active)
        {
            for (var i = 0; i < services[service].Threads; i++)
            {
                // Each thread of each run has a new seed, so that a run does not find the blocks of an earlier run in the cache.
                var own = s_seed++;
                var thread = new Thread(() => Interlocked.Add(ref reads[service], services[service].Run((offset, bytes) => variant.Read(service, offset, bytes), own, end.Token)), 256 << 10);
                threads.Add(thread);
            }
        }

        var start = TimeProvider.System.GetTimestamp();
        threads.ForEach(thread => thread.Start());
        end.CancelAfter(length);
        threads.ForEach(thread => thread.Join());
        var seconds = TimeProvider.System.GetElapsedTime(start).TotalSeconds;
        return [.. reads.Select(count => count / seconds)];
    }

    private static string Spread(List<double> values)
    {
        values.Sort();
        return string.Create(CultureInfo.InvariantCulture, $"{values[values.Count / 2]:0.000} ({values[0]:0.000} to {values[^1]:0.000})");
    }
}
