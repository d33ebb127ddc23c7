using System.Net.Sockets;
using Stout.Storage;

namespace Stout.Tests.Storage;

/// <summary>Errors of connecting in wrappers, and requests that were certainly not sent.</summary>
public sealed class ConnectErrorsTests
{
    [Theory]
    [InlineData(StoreErrorKind.Unreachable)]
    [InlineData(StoreErrorKind.Refused, StoreErrorKind.Refused)]
    [InlineData(StoreErrorKind.Refused, StoreErrorKind.Refused, StoreErrorKind.LayoutMismatch)]
    [InlineData(StoreErrorKind.Overloaded, StoreErrorKind.Overloaded, StoreErrorKind.Overloaded)]
    [InlineData(StoreErrorKind.Unreachable, StoreErrorKind.Refused, StoreErrorKind.Unreachable)]
    [InlineData(StoreErrorKind.Unreachable, StoreErrorKind.Overloaded, StoreErrorKind.Refused)]
    [InlineData(StoreErrorKind.Unreachable, StoreErrorKind.Unreachable, StoreErrorKind.Overloaded)]
    public void Hosts_refuse_only_if_all_do(StoreErrorKind combined, params StoreErrorKind[] hosts)
    {
        var errors = new AggregateException(hosts.Select(kind => new StoreException(kind, "x")));

        Assert.Equal(combined, ConnectErrors.Combine(errors, static error => (StoreException)error).Kind);
    }

    public static TheoryData<Exception?, bool> Requests { get; } = new()
    {
        { new HttpRequestException(HttpRequestError.ConnectionError), true },
        { new HttpRequestException(HttpRequestError.NameResolutionError), true },
        { new HttpRequestException(HttpRequestError.SecureConnectionError), true },
        { new HttpRequestException(HttpRequestError.ProxyTunnelError), true },
        { new InvalidOperationException("x", new HttpRequestException(HttpRequestError.ConnectionError)), true },
        { new AggregateException(new HttpRequestException(HttpRequestError.ConnectionError), new HttpRequestException(HttpRequestError.NameResolutionError)), true },
        { new AggregateException(new HttpRequestException(HttpRequestError.ConnectionError), new HttpRequestException(HttpRequestError.ResponseEnded)), false },
        { new AggregateException(), false },
        { new HttpRequestException(HttpRequestError.ResponseEnded, "x", new HttpRequestException(HttpRequestError.ConnectionError)), false },
        { new HttpIOException(HttpRequestError.ConnectionError, "x", new HttpRequestException(HttpRequestError.ConnectionError)), false },
        { new HttpRequestException("x", new SocketException((int)SocketError.ConnectionRefused)), false },
        { new SocketException((int)SocketError.ConnectionRefused), false },
        { null, false },
    };

    [Theory]
    [MemberData(nameof(Requests), DisableDiscoveryEnumeration = true)]
    public void Request_was_not_sent_if_the_transport_itself_says_so(Exception? error, bool precedes) =>
        Assert.Equal(precedes, ConnectErrors.PrecedesRequest(error));
}
