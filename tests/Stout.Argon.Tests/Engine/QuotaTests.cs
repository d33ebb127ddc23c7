using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>A service's quota bounds the space of the objects that it created.</summary>
public sealed class QuotaTests : IDisposable
{
    private const long Quota = 1 << 20;
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_write_beyond_the_quota_fails_before_any_allocation_and_other_services_go_on()
    {
        var kinds = new List<DiskIoKind>();
        await using var server = ArgonServer.Open(TestServer.Options(_folder.Path) with { Quotas = true }, null, (_, device) => new Watched(device, kinds));
        var (tenant, other) = (server.AddService("tenant", quotaBytes: Quota), server.AddService("other"));
        await using var target = await tenant.Create("object");
        kinds.Clear();
        Assert.Equal(Quota, Assert.Throws<QuotaExceededException>(() => target.Write(1L << 30, [1])).QuotaBytes);
        Assert.Throws<QuotaExceededException>(() => target.Resize(Quota));
        await Assert.ThrowsAsync<QuotaExceededException>(() => target.WriteAsync(0, new byte[Quota], TestContext.Current.CancellationToken).AsTask());
        Assert.DoesNotContain(DiskIoKind.Allocate, kinds);
        Assert.Equal(0, target.Length);
        target.Write(0, new byte[Quota - ObjectFile.HeaderBytes]);
        Assert.Throws<QuotaExceededException>(() => target.Write(target.Length, [1]));
        await Assert.ThrowsAsync<QuotaExceededException>(() => tenant.Create("another"));
        await using var free = await other.Create("free");
        free.Write(0, new byte[2 * Quota]);
        await using var guest = await other.Open("object");
        Assert.Throws<QuotaExceededException>(() => guest.Write(guest.Length, [1]));
        tenant.QuotaBytes = 2 * Quota;
        target.Write(target.Length, [1]);
        Assert.InRange(Sizes("object"), Quota, 2 * Quota);
    }

    [Fact]
    public async Task Space_comes_back_with_shorter_closed_and_deleted_objects_and_is_counted_after_a_restart()
    {
        var options = TestServer.Options(_folder.Path) with { Quotas = true };
        await using (var server = ArgonServer.Open(options))
        {
            var tenant = server.AddService("tenant", quotaBytes: Quota);
            for (var round = 0; round < 3; round++)
            {
                await using (var target = await tenant.Create("object"))
                {
                    target.Write(0, new byte[Quota / 2]);
                    target.Resize(4096);
                    Assert.Equal(ObjectFile.HeaderBytes + 4096, tenant.Report().UsedBytes);
                    target.Write(0, new byte[10_000]);
                }

                Assert.Equal(ObjectFile.HeaderBytes + (3 * 4096), tenant.Report().UsedBytes);
                await using (await tenant.Open("object"))
                    Assert.Equal(ObjectFile.HeaderBytes + (3 * 4096), tenant.Report().UsedBytes);
                await tenant.Delete("object");
                Assert.Equal(0, tenant.Report().UsedBytes);
            }

            await using var kept = await tenant.Create("kept");
            kept.Write(0, new byte[Quota / 2]);
        }

        await using var again = ArgonServer.Open(options);
        var same = again.AddService("tenant", quotaBytes: Quota);
        Assert.Equal(Sizes("kept"), same.Report().UsedBytes);
        await using var more = await same.Create("more");
        Assert.Throws<QuotaExceededException>(() => more.Write(0, new byte[Quota / 2]));
        await again.AddService("other").Delete("kept");
        more.Write(0, new byte[Quota / 2]);
    }

    [Fact]
    public async Task Objects_that_grow_at_once_stay_below_the_quota_together()
    {
        await using var server = ArgonServer.Open(TestServer.Options(_folder.Path) with { Quotas = true });
        var tenant = server.AddService("tenant", quotaBytes: Quota);
        var handles = await Task.WhenAll(Enumerable.Range(0, 8).Select(i => tenant.Create($"{i}")));
        var writers = handles.Select(handle => Task.Run(() =>
        {
            for (var written = 0L; written < Quota; written += 5_000)
                handle.Write(written, new byte[5_000]);
        })).ToList();
        foreach (var writer in writers)
            await Assert.ThrowsAsync<QuotaExceededException>(() => writer);
        Assert.InRange(tenant.Report().UsedBytes, Quota - (1 << 17), Quota);
        Assert.Equal(tenant.Report().UsedBytes, Enumerable.Range(0, 8).Sum(i => Sizes($"{i}")));
        foreach (var handle in handles)
            await handle.DisposeAsync();
        Assert.Equal(tenant.Report().UsedBytes, Enumerable.Range(0, 8).Sum(i => Sizes($"{i}")));
    }

    [Fact]
    public async Task A_quota_needs_a_server_that_counts_space()
    {
        await using var server = TestServer.Open(_folder.Path);
        Assert.Throws<InvalidArgonOptionException>(() => server.AddService("tenant", quotaBytes: Quota));
        Assert.Throws<InvalidArgonOptionException>(() => server.AddService("tenant").QuotaBytes = -1);
    }

    private long Sizes(string name) => new FileInfo(Path.Combine(_folder.Path, name + ".argon")).Length;

    private sealed class Watched(IDevice device, List<DiskIoKind> kinds) : IDevice
    {
        public void Carry(DiskIo io, NativeSlab slab)
        {
            lock (kinds)
                kinds.Add(io.Kind);
            device.Carry(io, slab);
        }
    }
}
