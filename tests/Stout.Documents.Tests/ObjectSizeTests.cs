using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>An object has at most as many bytes and parts as the options allow; one that is larger does not affect others.</summary>
public sealed class ObjectSizeTests
{
    private static readonly DocumentStoreOptions Small = Fixture.Options with
    {
        Stout = Fixture.Options.Stout with { MaxObjectBytes = 10, MaxObjectParts = 3 },
    };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Change_that_makes_an_object_too_large_fails_and_changes_nothing()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store, Small);
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "one", "12345");
        await notes.PutAsync("a", "two", "12345");
        var bytes = await Assert.ThrowsAsync<ObjectTooLargeException>(() => notes.PutAsync("a", "two", "123456"));
        Assert.Equal((11, 10, ObjectLimit.Bytes, new PartitionKey("notes/a")), (bytes.Size, bytes.Limit, bytes.Kind, bytes.Key));
        await notes.PutAsync("a", "three", "");
        var parts = await Assert.ThrowsAsync<ObjectTooLargeException>(() => notes.PutAsync("a", "four", ""));
        Assert.Equal((4, 3, ObjectLimit.Parts), (parts.Size, parts.Limit, parts.Kind));

        await notes.ChangeAsync(
            "a",
            editor =>
            {
                editor.Delete();
                editor.Set("new", "1234567890");
                return true;
            },
            Token);
        Assert.Equal(new Dictionary<string, string> { ["new"] = "1234567890" }, await notes.AllAsync("a"));
    }

    [Fact]
    public async Task Stored_object_that_is_too_large_fails_at_once_and_no_other()
    {
        var store = new ControlledStore();
        await using (var before = await Fixture.OpenAsync(store.Connect()))
        {
            await before.GetCollection<string>("notes").PutAsync("large", "12345678901");
            await before.GetCollection<string>("notes").PutAsync("small", "1");
        }

        await using var documents = await Fixture.OpenAsync(store, Small);
        var notes = documents.GetCollection<string>("notes");
        for (var i = 1; i <= 3; i++)
        {
            await Assert.ThrowsAsync<ObjectTooLargeException>(() => notes.GetAsync("large", Token).AsTask());
            await Assert.ThrowsAsync<ObjectTooLargeException>(() => notes.PutAsync("large", "1"));
            Assert.Equal(2 * i, store.KeysRead);
        }

        Assert.Equal("1", await notes.GetAsync("small", Token));
        var statistics = documents.GetStatistics();
        Assert.Equal((false, 0), (statistics.StoreFailing, statistics.ConsecutiveFailures));
    }

    [Fact]
    public async Task Object_that_does_not_fit_into_memory_is_read_once_and_leaves_the_store_healthy()
    {
        var store = new ControlledStore { AnswerRead = key => key.EndsWith("large", StringComparison.Ordinal) ? throw new InsufficientMemoryException() : null };
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        var error = await Assert.ThrowsAsync<FillFailedException>(() => notes.GetAsync("large", Token).AsTask());
        Assert.Equal(StoreErrorKind.Refused, Assert.IsType<StoreException>(error.InnerException).Kind);
        Assert.Equal(1, store.KeysRead);
        Assert.False(documents.GetStatistics().StoreFailing);
        Assert.Null(await notes.GetAsync("small", Token));
    }

    [Fact]
    public void Objects_that_do_not_fit_into_memory_together_are_read_one_by_one()
    {
        var batch = new ReadBatch();
        batch.Add(new KeyRead(new PartitionKey("a")));
        batch.Add(new KeyRead(new PartitionKey("b")));
        batch.Fail(new InsufficientMemoryException());
        Assert.All([0, 1], i => Assert.Equal(ReadOutcomeKind.LimitExceeded, batch.OutcomeOf(i).Kind));
    }
}
