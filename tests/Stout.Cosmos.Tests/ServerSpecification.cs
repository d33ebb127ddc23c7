using System.Net;
using System.Net.Sockets;
using Stout.Cosmos.Tests.Server;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Cosmos.Tests;

/// <summary>
/// The specification on the server from npm, which has point operations, ETags, conditions and queries. Batches are executed by a stand-in. Each test
/// has its own database.
/// </summary>
public sealed class ServerSpecification : StorageProxySpecification, IDisposable
{
    private readonly string _database = $"spec-{Guid.NewGuid():n}";
    private readonly SemaphoreSlim _oneAtATime = new(1);

    // Few operations, since each query of the server reads every item of a container.
    protected override int RandomOperations => 300;

    protected override int DuplicatedKeys => 40;

    public void Dispose() => _oneAtATime.Dispose();

    protected override IStorageProxy Connect(TimeProvider time) => Connect(time, Options());

    // The SDK gets the faulty answers, and reports them to the proxy as its own errors.
    protected override async Task<IStorageProxy?> ConnectInTroubleAsync(StoreErrorKind trouble, TimeProvider time)
    {
        switch (trouble)
        {
            case StoreErrorKind.Unreachable:
                return Connect(time, Options($"AccountEndpoint=https://127.0.0.1:{PortOfNobody()};AccountKey=a2V5"));
            case StoreErrorKind.Overloaded:
                return Connect(time, Options(onWrite: _ => Answer(HttpStatusCode.TooManyRequests, 3200)));
            case StoreErrorKind.Unknown:
                return Connect(time, Options(onWrite: _ => Answer(HttpStatusCode.ServiceUnavailable)));
            case StoreErrorKind.Full:
                await OpenOnceAsync(time);
                return Connect(time, Options(onWrite: _ => Answer(HttpStatusCode.Forbidden, 1014)));
            case StoreErrorKind.Refused:
                return Connect(time, Options(onWrite: _ => Answer(HttpStatusCode.Unauthorized)));
            case StoreErrorKind.LayoutMismatch:
                await OpenOnceAsync(time);
                return Connect(time, With(options => options.Partitions = 3));
            default:
                return null;
        }
    }

    private static CosmosStorage Connect(TimeProvider time, CosmosOptions options) => new(options, time);

    private static HttpResponseMessage Answer(HttpStatusCode status, int subStatus = 0)
    {
        var answer = new HttpResponseMessage(status) { Content = new StringContent("{}") };
        answer.Headers.Add("x-ms-substatus", $"{subStatus}");
        answer.Headers.Add("x-ms-retry-after-ms", "250");
        return answer;
    }

    private static int PortOfNobody()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private CosmosOptions Options(string? connectionString = null, Func<HttpRequestMessage, HttpResponseMessage?>? onWrite = null) =>
        ServerClient.Options(connectionString ?? CosmosServer.ConnectionString, _database, _oneAtATime, onWrite);

    private CosmosOptions With(Action<CosmosOptions> change)
    {
        var options = Options();
        change(options);
        return options;
    }

    private async Task OpenOnceAsync(TimeProvider time)
    {
        await using var store = Connect(time);
        await store.OpenAsync(TestContext.Current.CancellationToken);
    }
}
