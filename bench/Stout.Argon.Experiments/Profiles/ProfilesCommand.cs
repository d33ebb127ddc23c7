using System.CommandLine;
using Stout.Argon.Caching;

namespace Stout.Argon.Experiments.Profiles;

/// <summary>The command <c>profiles FOLDER</c>: compares cache profiles of recorded traces with a naive cache.</summary>
internal static class ProfilesCommand
{
    private const int Sizes = 100;
    private const int Miniatures = 16;

    private static readonly Argument<DirectoryInfo> Folder = new("folder") { Description = "The traces: .vscsi.gz, .u32le.gz and .trace.gz" };

    private static readonly Option<int> Naive = new("--naive-sizes") { Description = "The sizes at which a naive cache is compared with; 0 for each size", DefaultValueFactory = _ => 20 };

    public static Command Create()
    {
        var command = new Command("profiles", "Exact and sampled profiles of recorded traces, against naive caches.") { Folder, Naive };
        command.SetAction(arguments =>
        {
            Console.WriteLine("| trace | references | blocks | naive sizes compared | largest error of the exact profile | mean error: sampled, miniature SIEVE | KiB: sampled, miniature |\n|---|---|---|---|---|---|---|");
            foreach (var file in arguments.GetRequiredValue(Folder).EnumerateFiles("*.gz").OrderBy(file => file.Name, StringComparer.Ordinal))
                Run(file, arguments.GetValue(Naive));
        });
        return command;
    }

    private static void Run(FileInfo file, int naive)
    {
        var references = References.Of(file).ToArray();
        var blocks = references.Select(reference => reference.Block).Distinct().Count();
        var exact = Filled(LruProfile.Exact(), references);
        var sampled = Filled(LruProfile.Sampled(blocks), references);
        var miniature = Filled(new MiniatureProfile(EvictionKind.Sieve, blocks, seed: 1), references);
        var whole = Filled(new MiniatureProfile(EvictionKind.Sieve, blocks, seed: 1, largest: blocks), references);
        var compared = naive == 0 ? blocks : Math.Min(naive, blocks);
        var worst = Enumerable.Range(1, compared).Max(i => Error(exact, references, Math.Max(1, (int)((long)blocks * i / compared))));
        Console.WriteLine(FormattableString.Invariant($"| {file.Name} | {references.Length:N0} | {blocks:N0} | {compared} | {worst:0.0e+0} | {Mean(Sizes, size => exact.Absorbed(size) - sampled.Absorbed(size)):0.0000}, {Mean(Miniatures, size => whole.Absorbed(size) - miniature.Absorbed(size)):0.0000} | {Kibibytes(() => LruProfile.Sampled(blocks))}, {Kibibytes(() => new MiniatureProfile(EvictionKind.Sieve, blocks, 1))} |"));

        double Mean(int sizes, Func<int, double> error) => Enumerable.Range(1, sizes).Average(i => Math.Abs(error(Math.Max(1, (int)((long)blocks * i / sizes)))));

        long Kibibytes(Func<IServiceProfile> create)
        {
            var before = GC.GetTotalMemory(true);
            var profile = Filled(create(), references);
            var bytes = GC.GetTotalMemory(true) - before;
            GC.KeepAlive(profile);
            return bytes / 1024;
        }
    }

    private static double Error(LruProfile exact, (long Block, bool Write)[] references, int size)
    {
        var cache = new NaiveCache(size);
        foreach (var (block, write) in references)
            cache.Reference(block, write, 0);
        return Math.Abs(((double)cache.Absorbed / references.Length) - exact.Absorbed(size));
    }

    private static T Filled<T>(T profile, (long Block, bool Write)[] references)
        where T : IServiceProfile
    {
        foreach (var (block, write) in references)
            profile.Reference(block, write, 0);
        return profile;
    }
}
