using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>A server with ten thousand services.</summary>
public sealed class ManyServicesTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_cache_for_ten_thousand_services_has_them_and_refuses_the_next()
    {
        const int Services = 10_000;
        using var server = ArgonServer.Open(TestServer.Options(_folder.Path) with { CacheBytes = Services * (256L << 10) });
        var first = await server.AddService("first").Create("object");
        first.Write(0, new byte[4096]);
        for (var i = 1; i < Services; i++)
        {
            var block = new byte[1];
            Assert.Equal(1, (await server.AddService($"service {i}").Open("object")).Read(i % 4096, block));
        }

        Assert.Equal(Services, Assert.Throws<CacheTooSmallException>(() => server.AddService("one more")).Services);
        first.Write(0, [42]);
        first.Flush();
        var read = new byte[1];
        Assert.Equal(1, first.Read(0, read));
        Assert.Equal(42, read[0]);
    }
}
