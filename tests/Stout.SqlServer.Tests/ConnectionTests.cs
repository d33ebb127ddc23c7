using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;
using static Stout.Testing.StoreClient;

namespace Stout.SqlServer.Tests;

/// <summary>Connections that are cut by something between the client and the real server.</summary>
public sealed class ConnectionTests : IAsyncDisposable
{
    private readonly ServerSchema _schema = new();
    private TcpProxy? _network;

    public async ValueTask DisposeAsync()
    {
        if (_network is not null)
            await _network.DisposeAsync();
        await _schema.DisposeAsync();
    }

    [Fact]
    public async Task Connection_that_is_cut_before_the_answer_leaves_the_write_unknown_and_repeating_it_settles_it()
    {
        await using var store = await OpenThroughNetworkAsync();
        var stamp = Stamp.Absent;
        for (var round = 0; round < 10; round++)
        {
            var write = store.NewWrite("key", stamp);

            // The server commits the write, and the client gets no answer.
            _network!.OnAnswer = static _ => TcpProxy.Verdict.Cut;
            Assert.Equal(WriteOutcomeKind.Unknown, await TryAsync(store, write, $"{round}"));

            _network.OnAnswer = static _ => TcpProxy.Verdict.Pass;
            Assert.Equal(WriteOutcomeKind.Committed, await SettleAsync(store, write, $"{round}"));
            Assert.Equal($"={round}", Show(await store.ReadAsync("key")));
            stamp = write.Next;
        }
    }

    [Fact]
    public async Task Connection_that_is_cut_before_the_request_arrives_leaves_nothing_behind()
    {
        await using var store = await OpenThroughNetworkAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "old")]);
        var write = store.NewWrite("key", stamp);

        _network!.OnRequest = static _ => TcpProxy.Verdict.Cut;
        var outcome = await TryAsync(store, write, "new");

        _network.OnRequest = static _ => TcpProxy.Verdict.Pass;
        Assert.True(outcome is WriteOutcomeKind.Unknown or WriteOutcomeKind.Unreachable, $"{outcome}");
        Assert.Equal("old", await _schema.AskAsync<string>("SELECT value_text FROM [stout].[entry]"));
        Assert.Equal(WriteOutcomeKind.Committed, await SettleAsync(store, write, "new"));
    }

    private async Task<StoreClient> OpenThroughNetworkAsync()
    {
        (_network, var connectionString) = await ServerNetwork.PutBeforeAsync(ServerSchema.ServerOrSkip());
        return await StoreClient.OpenAsync(new SqlServerStorage(_schema.Options with { ConnectionStrings = [connectionString] }, _schema.Time));
    }

    private static async Task<WriteOutcomeKind> TryAsync(StoreClient store, KeyWrite write, string value)
    {
        try
        {
            return (await store.WriteAsync(write, Part("", value))).Kind;
        }
        catch (StoreException error)
        {
            return WriteOutcome.Of(error).Kind;
        }
    }

    // Repeats a write as a lane does. The client notices the pool's cut connections one by one, and the circuit breaker may be open for a while.
    private static async Task<WriteOutcomeKind> SettleAsync(StoreClient store, KeyWrite write, string value)
    {
        WriteOutcomeKind outcome;
        do
            outcome = await TryAsync(store, write, value);
        while (outcome is WriteOutcomeKind.Unknown or WriteOutcomeKind.Unreachable);
        return outcome;
    }
}
