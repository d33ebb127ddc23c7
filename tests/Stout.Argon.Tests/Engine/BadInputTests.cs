using Stout.Argon.Devices;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>Bad input is a typed error, and changes nothing.</summary>
public sealed class BadInputTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public static TheoryData<string> BadNames => [.. new[] { "", ".", "..", "a/b", "a\\b", "../up", "nul\0", "new\nline", "lone \uD800", new string('x', 300) }];

    public void Dispose() => _folder.Dispose();

    [Theory]
    [MemberData(nameof(BadNames))]
    public async Task A_name_that_no_file_can_have_is_refused(string name)
    {
        using var server = TestServer.Open(_folder.Path);
        var service = server.AddService("one");
        await Assert.ThrowsAsync<InvalidObjectNameException>(() => service.Create(name));
        await Assert.ThrowsAsync<InvalidObjectNameException>(() => service.Open(name));
        await Assert.ThrowsAsync<InvalidObjectNameException>(() => service.Delete(name));
        Assert.Empty(await service.List());
    }

    [Fact]
    public void Options_outside_their_range_are_refused()
    {
        var good = TestServer.Options(_folder.Path);
        foreach (var bad in new[]
        {
            good with { Insulation = 0 }, good with { Insulation = 1 }, good with { Insulation = double.NaN }, good with { CacheBytes = 4096 }, good with { Disks = [] },
            good with { Trial = TimeSpan.Zero }, good with { IoTimeLimit = TimeSpan.Zero }, good with { Disks = [good.Disks[0] with { QueueDepth = 0 }] },
            good with { Disks = [good.Disks[0] with { Folder = " " }] }, good with { Eviction = (Stout.Argon.Caching.EvictionKind)9 },
        })
            Assert.Throws<InvalidArgonOptionException>(() => ArgonServer.Open(bad));

        using var server = ArgonServer.Open(good);
        foreach (var weight in new[] { 0, -1, double.NaN, double.PositiveInfinity, 1e9 })
            Assert.Throws<InvalidArgonOptionException>(() => server.AddService("one", weight));
    }

    [Fact]
    public async Task Offsets_that_overflow_are_refused()
    {
        using var server = TestServer.Open(_folder.Path);
        var handle = await server.AddService("one").Create("object");
        Assert.Throws<ArgumentOutOfRangeException>(() => handle.Read(-1, new byte[1]));
        Assert.Throws<ArgumentOutOfRangeException>(() => handle.Write(-1, new byte[1]));
        Assert.Throws<ArgumentOutOfRangeException>(() => handle.Write(long.MaxValue, new byte[1]));
        Assert.Throws<ArgumentOutOfRangeException>(() => handle.Resize(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => handle.Resize(long.MaxValue));
        Assert.Equal(0, handle.Read(long.MaxValue, new byte[1]));
        Assert.Equal(0, handle.Length);
    }

    [Fact]
    public void A_cache_without_space_for_one_more_service_says_so()
    {
        using var server = TestServer.Open(_folder.Path);
        for (var i = 0; i < 4; i++)
            server.AddService($"service {i}");
        Assert.Equal(4, Assert.Throws<CacheTooSmallException>(() => server.AddService("one more")).Services);
    }

    [Fact]
    public void Two_engines_do_not_share_a_folder()
    {
        using (TestServer.Open(_folder.Path))
            Assert.Throws<FolderInUseException>(() => TestServer.Open(_folder.Path));
        TestServer.Open(_folder.Path).Dispose();
    }

    [Fact]
    public async Task Foreign_and_cut_files_are_told_from_objects()
    {
        using (var server = TestServer.Open(_folder.Path))
        {
            var handle = await server.AddService("one").Create("cut");
            handle.Write(0, new byte[100_000]);
            handle.Flush();
        }

        File.WriteAllBytes(Path.Combine(_folder.Path, "foreign.argon"), new byte[20_000]);
        File.WriteAllBytes(Path.Combine(_folder.Path, "empty.argon"), []);
        using (var cut = File.OpenWrite(Path.Combine(_folder.Path, "cut.argon")))
            cut.SetLength(50_000);
        using var again = TestServer.Open(_folder.Path);
        var service = again.AddService("one");
        foreach (var name in new[] { "foreign", "empty", "cut" })
            await Assert.ThrowsAsync<LayoutMismatchException>(() => service.Open(name));
        (await service.Create("neighbor")).Write(0, [1]);
    }

    [Fact]
    public void A_measurement_that_makes_no_sense_is_replaced_by_a_safe_one()
    {
        foreach (var wrong in new DeviceCost[] { new(TimeSpan.Zero, 1e8), new(TimeSpan.FromSeconds(-1), 1e8), new(TimeSpan.FromMilliseconds(1), double.PositiveInfinity), new(TimeSpan.FromMilliseconds(1), 5) })
            Assert.Equal(Calibration.Safe, Calibration.Sensible(Calibration.Safe with { Cost = wrong, SpanBytes = 5 }));
        Assert.Null(Calibration.Parse("nonsense"));
        Assert.Null(Calibration.Parse("1e9 1e9 0 1 0 0"));
        Assert.Null(Calibration.Parse("0.001 1E8\n"));
        var profile = new DiskProfile(new DeviceCost(TimeSpan.FromMilliseconds(1), 1e8), 48 << 20, 3.5, 8.5, 0.75, 0.5, 0.25, 0.875);
        Assert.Equal(profile, Calibration.Parse(Calibration.Format(profile)));
    }

    [Fact]
    public void The_first_start_measures_the_disk_and_the_second_knows_it()
    {
        var options = TestServer.Options(_folder.Path);
        options = options with { Disks = [options.Disks[0] with { Cost = null }] };
        using (var first = ArgonServer.Open(options))
            Assert.Equal(48 << 20, first.Report()[0].SpanBytes);
        var kept = File.ReadAllText(Path.Combine(_folder.Path, "cost"));
        ArgonServer.Open(options).Dispose();
        Assert.Equal(kept, File.ReadAllText(Path.Combine(_folder.Path, "cost")));
        Assert.False(File.Exists(Path.Combine(_folder.Path, "calibration")));
    }
}
