using System.CommandLine;
using System.Diagnostics;
using Stout.Experiments;

namespace Stout.Argon.Experiments.Traces;

/// <summary>
/// The command <c>record FOLDER</c>: runs SQLite under strace, and records its block traces. The seed is constant, so every run gives the same traces.
/// </summary>
internal static class RecordCommand
{
    /// <summary>The bytes of a page of SQLite and of a block of the models.</summary>
    public const int BlockSize = 16 * 1024;

    private const int Seed = 52;
    private const int Transactions = 1_000;
    private const int LargestRequest = 8;
    private const int CacheKilobytes = 2_048;

    private static readonly Argument<DirectoryInfo> Folder = new("folder") { Description = "Takes the databases, 200 MB, and the traces" };

    private static readonly Option<string?> Only = new("--run") { Description = "Runs oltp or q3 on its database and records nothing", Hidden = true };

    public static Command Create()
    {
        var command = new Command("record", "Records the block traces of TPC-C's new order and payment and of TPC-H's query 3 on SQLite.") { Folder, Only };
        command.SetAction((arguments, cancellationToken) => RunAsync(arguments.GetRequiredValue(Folder).FullName, arguments.GetValue(Only), cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(string folder, string? only, CancellationToken cancellationToken)
    {
        if (only is not null)
        {
            using var session = new SqliteSession(PathOf(folder, only), CacheKilobytes);
            if (only == "oltp")
                new OrderEntry(session, Seed).Run(Transactions);
            else
                new DecisionSupport(session, Seed).Run();
            return 0;
        }

        Directory.CreateDirectory(folder);
        foreach (var name in new[] { "oltp", "q3" })
        {
            foreach (var file in Directory.EnumerateFiles(folder, name + ".*"))
                File.Delete(file);
            using (var session = new SqliteSession(PathOf(folder, name), 200_000))
            {
                if (name == "oltp")
                    new OrderEntry(session, Seed).Create();
                else
                    new DecisionSupport(session, Seed).Create();
            }

            var calls = Path.Combine(folder, name + ".strace");
            await TraceAsync(folder, name, calls, cancellationToken);
            var trace = SystemCalls.Parse(File.ReadLines(calls), folder, BlockSize, LargestRequest);
            var path = Path.Combine(folder, name + ".trace");
            trace.Save(path);
            Console.WriteLine($"{path}: {trace.Operations.Count:N0} requests to {trace.Files.Count} files of {string.Join(", ", trace.Files)} blocks, {new FileInfo(path).Length:N0} bytes");
        }

        return 0;
    }

    private static string PathOf(string folder, string name) => Path.Combine(folder, name + ".db");

    private static async Task TraceAsync(string folder, string name, string calls, CancellationToken cancellationToken)
    {
        var program = typeof(RecordCommand).Assembly.Location;
        using var process = Process.Start(new ProcessStartInfo("strace", [.. SystemCalls.Options, "-o", calls, "dotnet", program, "argon", "record", folder, "--run", name]))!;
        await process.WaitForExitAsync(cancellationToken);
        if (process.ExitCode != 0)
            throw new ExperimentException($"strace ended with {process.ExitCode}.");
    }
}
