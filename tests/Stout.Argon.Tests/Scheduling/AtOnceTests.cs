using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Scheduling;

/// <summary>Services that share a disk at once, on a disk that serves every request in a tenth of a millisecond.</summary>
public sealed class AtOnceTests
{
    private static readonly TimeSpan s_time = TimeSpan.FromMicroseconds(100);
    private readonly ArgonCore _core = new(new CoreSettings { Frames = 8192, Trial = TimeSpan.FromHours(1) });
    private readonly Random _random = new(1);
    private readonly PriorityQueue<(DiskIo Io, TimeSpan At), TimeSpan> _device = new();
    private readonly Dictionary<ServiceState, int> _ended = [];
    private TimeSpan _now;

    public AtOnceTests() => _core.AddDisk(new DeviceCost(s_time, 1e10), atOnce: true);

    [Fact]
    public void Readers_that_share_a_disk_at_once_lose_little_of_their_throughput_alone()
    {
        var services = Enumerable.Range(0, 4).Select(_ => Add()).ToList();
        Run(TimeSpan.FromSeconds(2));
        Assert.All(services, service => Assert.InRange(_ended[service], 18_000, 20_000));
        // The disk time is charged as alone.
        Assert.All(services, service => Assert.InRange(service.Counters.DiskTime / _now, 0.9, 1.01));
    }

    [Fact]
    public void A_request_that_never_ends_stops_and_slows_no_other_service()
    {
        var (stuck, other) = (Add(), Add());
        Run(TimeSpan.FromSeconds(1));
        var before = _ended[other];
        // The turn that waits for the request gives up after 2 s, once.
        Run(TimeSpan.FromSeconds(12), hold: io => io.Service == stuck);
        Assert.InRange(_ended[other] - before, 90_000, 120_000);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Requests_that_never_end_and_keep_coming_take_no_more_than_their_services_share(bool atOnce)
    {
        _core.AddDisk(new DeviceCost(s_time, 1e10), atOnce);
        var (stuck, other) = (Add(disk: 1), Add(disk: 1));
        Run(TimeSpan.FromSeconds(1));
        var before = _ended[other];
        for (var round = 0; round < 24; round++)
        {
            // Each object has one stuck request.
            Ask(stuck, _core.Open(100 + round, 1, 1L << 34));
            Run(TimeSpan.FromSeconds(0.5), hold: io => io.Service == stuck);
        }

        // Alone, the service would have 120,000. With quanta, it has half of the time. At once, the stuck service leaves it the whole disk.
        Assert.InRange(_ended[other] - before, atOnce ? 90_000 : 50_000, 120_000);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Requests_that_take_long_again_and_again_take_no_more_than_their_services_share(bool atOnce)
    {
        _core.AddDisk(new DeviceCost(s_time, 1e10), atOnce);
        var (slow, other) = (Add(disk: 1), Add(disk: 1));
        Run(TimeSpan.FromSeconds(1));
        var before = _ended[other];
        Run(TimeSpan.FromSeconds(24), slow: io => io.Service == slow ? TimeSpan.FromSeconds(2.5) : TimeSpan.Zero);
        Assert.InRange(_ended[other] - before, atOnce ? 180_000 : 100_000, 240_000);
    }

    [Fact]
    public void A_service_is_charged_as_alone_although_its_requests_take_longer_than_a_quantum()
    {
        // The calibration promised a tenth of a millisecond, as it does on flash for reads before it has seen writes.
        var (slow, other) = (Add(), Add());
        for (var i = 1; i < 32; i++)
            Ask(slow, _core.Open(100 + i, 0, 1L << 34));
        Run(TimeSpan.FromSeconds(4), slow: io => io.Service == slow ? TimeSpan.FromMilliseconds(6 * _random.NextDouble()) : TimeSpan.Zero);
        var alone = _ended[slow] / 32 * TimeSpan.FromMilliseconds(3.1);
        Assert.InRange(slow.Counters.DiskTime / alone, 0.97, 1.03);
    }

    private ServiceState Add(int disk = 0)
    {
        var service = _core.AddService(1, _now);
        _ended[service] = 0;
        Ask(service, _core.Open(_ended.Count, disk, 1L << 34));
        return service;
    }

    private void Ask(ServiceState service, ObjectState target) => _core.Read(service, target, _random.NextInt64(1 << 21), 1, _now);

    private void Run(TimeSpan length, Func<DiskIo, bool>? hold = null, Func<DiskIo, TimeSpan>? slow = null)
    {
        var end = _now + length;
        while (_now < end)
        {
            foreach (var io in _core.Issued)
            {
                var at = _now + s_time + (slow?.Invoke(io) ?? TimeSpan.Zero);
                if (hold?.Invoke(io) != true)
                    _device.Enqueue((io, at), at);
            }

            _core.Issued.Clear();
            foreach (var request in _core.Completed.ToArray())
            {
                _core.Completed.Remove(request);
                var (service, target) = (request.Service, request.Object);
                _ended[service]++;
                _core.Release(request, _now);
                Ask(service, target);
            }

            if (_core.Issued.Count > 0 || _core.Completed.Count > 0)
                continue;
            var next = _device.TryPeek(out var first, out _) ? first.At : end;
            if (_core.NextTick < next)
            {
                _now = _core.NextTick.Value > _now ? _core.NextTick.Value : _now;
                _core.Tick(_now);
                continue;
            }

            _now = next;
            if (_device.TryDequeue(out first, out _))
                _core.IoDone(first.Io, null, _now);
        }
    }
}
