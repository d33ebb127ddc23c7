using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

/// <summary>The token of a version holds the owner, and decides no write of another owner.</summary>
public sealed class OwnershipTests(Server server) : IDisposable
{
    private readonly TestTable _table = new(server.Account);

    public void Dispose() => _table.Dispose();

    [Fact]
    public async Task Write_of_a_former_owner_is_fenced_even_with_the_token_of_the_present_one()
    {
        await using var store = await _table.OpenAsync();
        var former = (await store.ClaimAsync("key")).Owner;
        var stamp = await store.PutAsync("key", Stamp.Absent, owner: former, parts: [Part("", "1")]);
        var present = await store.ClaimAsync("key");
        var batch = new WriteBatch();
        batch.Add(store.NewWrite("key", stamp, owner: former) with { ExpectedToken = present.Token }, [Part("", "2")]);

        await store.WriteAsync(batch);

        Assert.Equal(WriteOutcomeKind.Fenced, batch.OutcomeOf(0).Kind);
        var read = await store.ReadAsync("key");
        Assert.Equal(("=1", present.Owner), (Show(read), read.Owner));
    }
}
