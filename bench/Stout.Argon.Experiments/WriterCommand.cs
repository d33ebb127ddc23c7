using System.Buffers.Binary;
using System.CommandLine;
using System.Globalization;
using Stout.Argon.Devices;

namespace Stout.Argon.Experiments;

/// <summary>
/// The command <c>writer FOLDER</c>: writes and flushes increasing numbers, and prints each number when it is durable. A test kills the process and
/// checks the numbers.
/// </summary>
internal static class WriterCommand
{
    /// <summary>The name of the object that the command writes.</summary>
    public const string Object = "numbers";

    /// <summary>The number of blocks. The number n is written at the beginning of block n modulo this constant.</summary>
    public const int Blocks = 512;

    private static readonly Argument<DirectoryInfo> Folder = new("folder") { Description = "The folder of the objects" };

    private static readonly Option<long> Most = new("--most") { Description = "The last number", DefaultValueFactory = _ => long.MaxValue };

    public static Command Create()
    {
        var command = new Command("writer", "Writes and flushes numbers until it is killed.") { Folder, Most };
        command.SetAction((arguments, cancellationToken) => RunAsync(arguments.GetRequiredValue(Folder).FullName, arguments.GetValue(Most), cancellationToken));
        return command;
    }

    /// <summary>Opens a server on the folder.</summary>
    public static ArgonServer Open(string folder) => ArgonServer.Open(new ArgonOptions
    {
        Disks = [new() { Folder = folder, Cost = new DeviceCost(TimeSpan.FromMicroseconds(100), 1e9), QueueDepth = 4, AllowBuffered = true }],
        CacheBytes = 1 << 20,
    });

    private static async Task RunAsync(string folder, long most, CancellationToken cancellationToken)
    {
        await using var server = Open(folder);
        var service = server.AddService("writer");
        var known = (await service.ListAsync(cancellationToken: cancellationToken).ConfigureAwait(false)).Contains(Object);
        var target = known
            ? await service.OpenAsync(Object, cancellationToken: cancellationToken).ConfigureAwait(false)
            : await service.CreateAsync(Object, cancellationToken: cancellationToken).ConfigureAwait(false);
        var bytes = new byte[8];
        var number = 0L;
        for (var block = 0; block * 4096L < target.Length; block++)
        {
            target.Read(block * 4096L, bytes);
            number = Math.Max(number, BinaryPrimitives.ReadInt64LittleEndian(bytes));
        }

        while (number < most)
        {
            BinaryPrimitives.WriteInt64LittleEndian(bytes, ++number);
            target.Write(number % Blocks * 4096, bytes);
            target.Flush();
            Console.WriteLine(number.ToString(CultureInfo.InvariantCulture));
        }
    }
}
