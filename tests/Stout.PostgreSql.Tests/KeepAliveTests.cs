using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;

namespace Stout.PostgreSql.Tests;

/// <summary>Idle connections send probes, so that what stands between does not forget them.</summary>
public sealed class KeepAliveTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private readonly TestSchema _schema = new(database);

    [Theory]
    [InlineData("", 30)]
    [InlineData(";TCP Keepalive=true;TCP Keepalive Time=7", 7)]
    [InlineData(";TCP Keepalive=false", null)]
    public async Task Idle_connections_are_probed_in_time_unless_the_user_says_otherwise(string own, int? seconds)
    {
        await using var proxy = _schema.Intercept();
        _schema.Options = _schema.Options with { ConnectionStrings = [_schema.Options.ConnectionStrings[0] + own] };
        await using var store = await _schema.OpenAsync();
        await store.PutAsync("key", Stamp.Absent);

        var probes = TcpTimers.KeepAlivesTo(proxy.Port);

        Assert.NotEmpty(probes);
        Assert.All(probes, probe => Assert.Equal(seconds is not null, probe is not null));
        Assert.All(probes, probe => Assert.True(probe is null || probe <= TimeSpan.FromSeconds(seconds!.Value), $"{probe}"));
    }
}
