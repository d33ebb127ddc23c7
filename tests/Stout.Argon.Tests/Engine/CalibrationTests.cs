using Stout.Argon.Devices;

namespace Stout.Argon.Tests.Engine;

/// <summary>The calibration's span, and its decision how services share a disk.</summary>
public sealed class CalibrationTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Space_that_was_allocated_and_never_written_and_holes_are_no_data()
    {
        using (var file = ObjectFile.Create(Path.Combine(_folder.Path, "object.argon"), buffered: true))
        {
            using var slab = new NativeSlab(64, 4096);
            file.Reserve(64 << 20);
            file.Write(slab, [.. Enumerable.Range(0, 64)], 1_000);
            file.Sync(64 << 20);
        }

        // Beside the written blocks, the two blocks of the header.
        Assert.InRange(FolderProbe.DataOf(_folder.Path), 64 * 4096, 70 * 4096);
    }

    [Fact]
    public void A_folder_whose_data_has_grown_is_measured_again_over_its_data()
    {
        using (var file = ObjectFile.Create(Path.Combine(_folder.Path, "object.argon"), buffered: true))
        {
            using var slab = new NativeSlab(256, 4096);
            for (var block = 0; block < 52 << 8; block += 256)
                file.Write(slab, [.. Enumerable.Range(0, 256)], block);
            file.Sync(52 << 20);
        }

        var data = FolderProbe.DataOf(_folder.Path);
        var small = Calibration.Safe with { SpanBytes = data / 5 };
        var kept = Calibration.Format(small);
        File.WriteAllText(Path.Combine(_folder.Path, "cost"), kept);
        var measured = Calibration.Load(_folder.Path, buffered: true);
        Assert.InRange(measured.SpanBytes, 52 << 20, data);
        File.WriteAllText(Path.Combine(_folder.Path, "cost"), Calibration.Format(small with { SpanBytes = data / 3 }));
        Assert.Equal(data / 3, Calibration.Load(_folder.Path, buffered: true).SpanBytes);
    }

    [Theory]
    [InlineData(3.5, 3.5, 0.9, 0.9, 0.2, 0.9, true)]
    [InlineData(1.5, 1.9, 0.9, 0.9, 0.2, 0.9, false)]
    [InlineData(1.5, 6.0, 0.9, 0.9, 0.2, 0.9, true)]
    [InlineData(3.5, 3.5, 0.9, 0.2, 0.2, 0.9, false)]
    [InlineData(3.5, 3.5, 0.2, 0.9, 0.2, 0.9, false)]
    [InlineData(3.5, 3.5, 0.9, 0.9, 0.2, 0.6, false)]
    public void Services_share_a_disk_at_once_where_turns_cost_more_than_interference(double four, double sixteen, double random, double stream, double reads, double writes, bool atOnce)
    {
        var probe = new Given(four, sixteen, random, stream, reads, writes);
        var profile = DiskProfile.Of(probe);
        Assert.Equal(atOnce, profile.AtOnce);
        Assert.Equal((four, sixteen, random, stream), (profile.Concurrency, profile.MoreConcurrency, profile.RandomBesideStream, profile.StreamBesideRandom));
        Assert.Equal((reads, writes), (profile.ReadsBesideWrites, profile.WritesBesideReads));
        Assert.Equal(0.001 - (4096 / 1e8), profile.Cost.Positioning.TotalSeconds, 6);
    }

    [Fact]
    public async Task The_report_has_the_kind_of_sharing_which_can_be_set()
    {
        foreach (var sharing in new[] { DiskSharing.AtOnce, DiskSharing.Quanta })
        {
            var options = TestServer.Options(_folder.Path);
            await using var server = ArgonServer.Open(options with { Disks = [options.Disks[0] with { Sharing = sharing }] });
            var report = Assert.Single(server.Report());
            Assert.Equal((sharing, null, options.Disks[0].Cost), (report.Sharing, report.SpanBytes, report.CalibratedCost));
            await using var target = await server.AddService("one").Create($"{sharing}");
            target.Write(0, new byte[100_000]);
            target.Flush();
        }
    }

    // A disk on which a reader has 1,000 reads or 100 MB per second alone, and a writer 500 writes.
    private sealed class Given(double four, double sixteen, double random, double stream, double reads, double writes) : IDiskProbe
    {
        public long Span => 1 << 30;

        public (double Reads, double Bytes, double Writes) Run(int readers, int streamBytes, bool writer = false) => (readers, streamBytes, writer) switch
        {
            (0, 0, true) => (0, 0, 500),
            (0, _, _) => (0, 1e8, 0),
            (1, 0, true) => (1_000 * reads, 0, 500 * writes),
            (1, 0, _) => (1_000, 0, 0),
            (1, _, _) => (1_000 * random, 1e8 * stream, 0),
            (4, _, _) => (1_000 * four, 0, 0),
            _ => (1_000 * sixteen, 0, 0),
        };
    }
}
