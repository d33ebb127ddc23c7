using System.Text;
using Stout.Documents;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>Long keys as an application sees them, and in a file that was changed by SQL.</summary>
public sealed class LongKeyTests : IDisposable
{
    private static readonly string Id = new('i', 300);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Object_whose_row_names_another_key_fails_with_a_named_error_and_others_go_on(bool isOwned)
    {
        await using (var documents = await OpenAsync())
        {
            var notes = Notes(documents, isOwned);
            await notes.SetAsync(Id, "first", Token);
            await notes.SetAsync(Id + "2", "second", Token);
        }

        var rowKey = Hex(LongKeys.RowKeyOf(new PartitionKey("notes/" + Id)));
        RawFile.Change(_file.Path, $"UPDATE header SET long_key = x'{Hex("notes/" + Id + "3")}' WHERE key = x'{rowKey}'");
        await using (var documents = await OpenAsync())
        {
            var notes = Notes(documents, isOwned);
            for (var attempt = 0; attempt < 2; attempt++)
            {
                var error = await Assert.ThrowsAsync<FillFailedException>(() => notes.GetAsync(Id, Token).AsTask());
                Assert.Equal(StoreErrorKind.KeyMismatch, Assert.IsType<StoreException>(error.InnerException).Kind);
                Assert.DoesNotContain(Id, error.Message, StringComparison.Ordinal);
            }

            Assert.Equal("second", await notes.GetAsync(Id + "2", Token));
            await notes.SetAsync(Id + "2", "third", Token);
            Assert.Equal([Id + "2"], await notes.ListAsync(Id, Token).ToListAsync(Token));
        }

        RawFile.Change(_file.Path, $"UPDATE header SET long_key = x'{Hex("notes/" + Id)}' WHERE key = x'{rowKey}'");
        await using (var documents = await OpenAsync())
        {
            var notes = Notes(documents, isOwned);
            Assert.Equal(("first", "third"), (await notes.GetAsync(Id, Token), await notes.GetAsync(Id + "2", Token)));
        }
    }

    /// <summary>The header of a long key must have the key's bytes in the column long_key. Any other value is a mismatch.</summary>
    [Theory]
    [InlineData("NULL")]
    [InlineData("1")]
    [InlineData("'text'")]
    [InlineData("zeroblob(10000)")]
    public async Task Damaged_long_key_fails_its_key_alone(string stored)
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync(Id, Stamp.Absent, parts: Part("", "old"));
        await store.PutAsync("short", Stamp.Absent, parts: Part("", "old"));
        RawFile.Change(_file.Path, $"UPDATE header SET long_key = {stored}");

        foreach (var read in new[] { await store.ReadAsync(Id), await store.ClaimAsync(Id) })
            Assert.Equal((ReadOutcomeKind.Refused, StoreErrorKind.KeyMismatch), (read.Kind, Assert.IsType<StoreException>(read.Error).Kind));
        Assert.Equal("=old", Show(await store.ReadAsync("short")));
        Assert.Equal(["short"], await store.ListAsync("", 10));
        RawFile.Change(_file.Path, $"UPDATE header SET long_key = x'{Hex(Id)}' WHERE length(key) = 257");
        Assert.Equal((stamp, "=old"), ((await store.ReadAsync(Id)).Version, Show(await store.ReadAsync(Id))));
    }

    [Fact]
    public async Task Person_sees_the_whole_key()
    {
        await using (var store = await _file.OpenAsync())
            await store.PutAsync(Id + "日", Stamp.Absent, parts: [Part("", "own"), Part("part", "other")]);

        using var file = new RawFile(_file.Path);
        Assert.Equal([Id + "日", Id + "日"], file.Rows("SELECT key FROM entry").Select(row => (string)row[0]!));
        Assert.Equal(257L, file.Rows("SELECT length(key) FROM header")[0][0]);
    }

    private ValueTask<DocumentStore> OpenAsync() =>
        DocumentStore.OpenAsync(new SqliteStorage(_file.Options, _file.Time), cancellationToken: Token);

    private static DocumentCollection<string> Notes(DocumentStore documents, bool isOwned) => documents.GetCollection(
        "notes", new StringPartSerializer(), new CollectionOptions<string> { Ownership = isOwned ? Ownership.Claim : Ownership.None });

    private static string Hex(string text) => Convert.ToHexString(Encoding.UTF8.GetBytes(text));
}
