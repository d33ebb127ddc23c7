using System.Buffers.Binary;
using System.Text.RegularExpressions;
using Stout.Argon.Experiments;

namespace Stout.Argon.Tests.Engine;

/// <summary>The durability of flushed data: after kills of the process, and by the order of its system calls.</summary>
public sealed partial class KillTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task What_was_flushed_outlives_twenty_kills()
    {
        var random = new Random(1);
        for (var round = 0; round < 20; round++)
        {
            var last = await WriterProcess.KillAsync(_folder.Path, random.Next(1, 60));
            using var server = WriterCommand.Open(_folder.Path);
            var target = await server.AddService("reader").Open(WriterCommand.Object);
            var bytes = new byte[8];
            for (var number = Math.Max(1, last - WriterCommand.Blocks + 1); number <= last; number++)
            {
                Assert.Equal(8, target.Read(number % WriterCommand.Blocks * 4096, bytes));
                Assert.True(BinaryPrimitives.ReadInt64LittleEndian(bytes) >= number, $"round {round}: {number} of {last} is lost");
            }
        }
    }

    [Fact]
    public async Task No_flush_is_answered_before_its_fdatasync_has_ended()
    {
        const int Numbers = 40;
        Assert.SkipUnless(File.Exists("/usr/bin/strace"), "strace is not installed");
        // The count starts at -2, since the creation of the object syncs its file and its folder.
        var synced = -2;
        var printed = 0;
        foreach (var line in await WriterProcess.TraceAsync(_folder.Path, Numbers))
        {
            if (SyncEnded().IsMatch(line))
                synced++;
            if (!Printed().IsMatch(line))
                continue;
            printed++;
            Assert.True(synced >= printed, $"{printed} was answered after {synced} syncs");
        }

        Assert.Equal(Numbers, printed);
    }

    [GeneratedRegex(@"fdatasync(\(\d+\)| resumed>\)) += 0")]
    private static partial Regex SyncEnded();

    [GeneratedRegex(@"write\(\d+, ""\d+\\n""")]
    private static partial Regex Printed();
}
