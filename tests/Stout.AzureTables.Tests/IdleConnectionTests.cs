namespace Stout.AzureTables.Tests;

/// <summary>HTTP connections that are idle are closed before a load balancer forgets them.</summary>
public sealed class IdleConnectionTests
{
    /// <summary>Azure.Core and the Cosmos DB SDK leave this setting of .NET's handler as it is.</summary>
    [Fact]
    public void Idle_connection_is_closed_after_a_minute_at_most()
    {
        using var handler = new SocketsHttpHandler();

        Assert.InRange(handler.PooledConnectionIdleTimeout, TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1));
    }
}
