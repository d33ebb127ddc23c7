using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>Forecasts of a service's share before it is added.</summary>
public sealed class ForecastTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Forecasts_answer_for_weights_newcomers_and_caches_and_change_nothing()
    {
        using var server = TestServer.Open(_folder.Path);
        var (one, other) = (server.AddService("one"), server.AddService("other"));
        foreach (var service in new[] { one, other })
        {
            var target = await service.Create(service.Name);
            target.Write(0, new byte[40 * 4096]);
            var block = new byte[4096];
            for (var i = 0; i < 4_000; i++)
                target.Read(i % 40 * 4096L, block);
        }

        var before = one.Report();
        var same = server.Forecast(new WhatIf());
        Assert.Equal([0.5, 0.5], same.Select(forecast => forecast.Share));
        Assert.All(same, forecast => Assert.True(forecast.Insulated && forecast.FractionOfAlone >= 0.45, $"{forecast}"));
        var heavier = server.Forecast(new WhatIf { Weights = new Dictionary<ArgonService, double> { [one] = 3 } });
        Assert.Equal([0.75, 0.25], heavier.Select(forecast => forecast.Share));
        var newcomer = server.Forecast(new WhatIf { NewcomerLike = one, NewcomerWeight = 2 });
        Assert.Equal([0.25, 0.25, 0.5], newcomer.Select(forecast => forecast.Share));
        Assert.Same(one, newcomer[2].Service);
        Assert.Throws<InvalidArgonOptionException>(() => server.Forecast(new WhatIf { CacheBytes = 4096 }));
        Assert.Throws<InvalidArgonOptionException>(() => server.Forecast(new WhatIf { NewcomerWeight = -1 }));
        Assert.Equal(before, one.Report());
    }

    [Fact]
    public async Task Services_of_one_disk_share_it_with_each_other_and_with_services_that_have_used_none()
    {
        using var second = new TemporaryFolder();
        var disk = TestServer.Options(_folder.Path).Disks[0];
        await using var server = ArgonServer.Open(TestServer.Options(_folder.Path) with { Disks = [disk, disk with { Folder = second.Path }], CacheBytes = 2 << 20 });
        foreach (var (name, place) in new[] { ("first", 0), ("second", 1), ("also second", 1) })
            await server.AddService(name).Create(name, place);
        server.AddService("undecided", weight: 2);
        Assert.Equal([1 / 3.0, 1 / 4.0, 1 / 4.0, 2 / 5.0], server.Forecast(new WhatIf()).Select(forecast => forecast.Share));
    }
}
