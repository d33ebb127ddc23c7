using Stout.Storage;

namespace Stout.Tests.Storage;

public sealed class LocalHostTests
{
    [Theory]
    [InlineData("localhost")]
    [InlineData("LOCALHOST.")]
    [InlineData("db.localhost")]
    [InlineData("127.0.0.1")]
    [InlineData("127.8.9.10")]
    [InlineData("::1")]
    [InlineData("[::1]")]
    [InlineData("/var/run/postgresql")]
    [InlineData("@socket")]
    [InlineData("")]
    [InlineData(null)]
    public void Host_of_this_machine_is_local(string? host) => Assert.True(LocalHost.Is(host));

    [Theory]
    [InlineData("db")]
    [InlineData("db.example.com")]
    [InlineData("localhost.example.com")]
    [InlineData("notlocalhost")]
    [InlineData("10.0.0.1")]
    [InlineData("0.0.0.0")]
    [InlineData("fe80::1")]
    [InlineData("127.0.0.1.example.com")]
    public void Other_host_is_not_local(string host) => Assert.False(LocalHost.Is(host));
}
