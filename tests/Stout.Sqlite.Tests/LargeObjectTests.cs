using Stout.Documents;

namespace Stout.Sqlite.Tests;

public sealed class LargeObjectTests : IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    private static CancellationToken Test => TestContext.Current.CancellationToken;

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Read_of_an_object_that_is_too_large_ends_at_the_limit()
    {
        await using (var store = await DocumentStore.OpenAsync(new SqliteStorage(_directory["docs.db"]), cancellationToken: Test))
        {
            await PutAsync(store, "large", parts: 10);
            await PutAsync(store, "small", parts: 3);
        }

        await using var bounded = await DocumentStore.OpenAsync(
            new SqliteStorage(_directory["docs.db"]), new DocumentStoreOptions { Stout = new StoutOptions { MaxObjectParts = 3 } }, cancellationToken: Test);
        var error = await Assert.ThrowsAsync<ObjectTooLargeException>(() => bounded.GetCollection<string>("docs").GetAsync("large", Test).AsTask());

        // Reading stops at the fourth of the ten parts, the first one over the limit.
        Assert.Equal((4, 3, ObjectLimit.Parts), (error.Size, error.Limit, error.Kind));
        Assert.Equal("text 2", await bounded.GetCollection<string>("docs").ReadAsync("small", static view => view["part 2"], Test));
        Assert.False(bounded.GetStatistics().StoreFailing);
    }

    private static ValueTask<bool> PutAsync(DocumentStore store, string id, int parts) => store.GetCollection<string>("docs").ChangeAsync(
        id,
        editor =>
        {
            for (var i = 0; i < parts; i++)
                editor.Set("part " + i, "text " + i);
            return true;
        },
        Test);
}
