using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>Reads of several objects with a result for each.</summary>
public sealed class ManyReadsTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Unreadable_object_loses_no_value_of_another()
    {
        var store = new ControlledStore
        {
            AnswerRead = key => key == "notes/bad" ? ReadOutcome.Of(new StoreException(StoreErrorKind.Corrupt, "damaged")) : null,
        };
        await using var documents = await Fixture.OpenAsync(store);
        var notes = documents.GetCollection<string>("notes");
        List<string> ids = [.. Enumerable.Range(0, 98).Select(i => $"{i}")];
        foreach (var id in ids)
            await notes.PutAsync(id, "text " + id);
        ids.InsertRange(40, ["bad", "none", ""]);

        var results = await notes.TryGetManyAsync(ids, Token);

        Assert.Equal(ids, results.Select(result => result.Id));
        foreach (var result in results)
        {
            switch (result.Id)
            {
                case "bad":
                    // The value of a failed read must not look like an absent one.
                    Assert.IsType<FillFailedException>(result.Error);
                    Assert.Throws<FillFailedException>(() => result.Value);
                    break;
                case "":
                    Assert.IsType<InvalidKeyException>(result.Error);
                    break;
                default:
                    Assert.Equal((null, result.Id == "none" ? null : "text " + result.Id), (result.Error, result.Value));
                    break;
            }
        }
    }

    [Fact]
    public async Task Object_whose_bytes_cannot_be_deserialized_is_an_error_of_its_own()
    {
        var store = new ControlledStore();
        await using (var documents = await Fixture.OpenAsync(store))
        {
            await documents.GetCollection<string>("notes").PutAsync("text", "no number");
            await documents.GetCollection<string>("notes").PutAsync("number", "7");
        }

        await using var other = await Fixture.OpenAsync(store.Connect());
        var results = await other.GetCollection("notes", new NumberSerializer()).TryGetManyAsync(["text", "number"], Token);
        Assert.IsType<PartSerializationException>(results[0].Error);
        Assert.Equal("7", results[1].Value);
    }

    [Fact]
    public async Task Caller_that_stops_waiting_gets_no_results()
    {
        var store = new ControlledStore();
        await using var documents = await Fixture.OpenAsync(store);
        using var hold = store.HoldReads("a");
        using var stops = new CancellationTokenSource();
        var results = documents.GetCollection<string>("notes").TryGetManyAsync(["a", "b"], stops.Token).AsTask();
        await hold.Arrived;
        await stops.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => results);
    }

    [Fact]
    public async Task No_ids_give_no_results()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        Assert.Empty(await notes.TryGetManyAsync([], Token));
        await Assert.ThrowsAsync<ArgumentNullException>(() => notes.TryGetManyAsync(null!, Token).AsTask());
    }

    private sealed class NumberSerializer : IPartSerializer<string>
    {
        public bool ValuesAreImmutable => true;

        public ReadOnlyMemory<byte> Serialize(string value) => System.Text.Encoding.UTF8.GetBytes(value);

        public string Deserialize(ReadOnlyMemory<byte> bytes)
        {
            var text = System.Text.Encoding.UTF8.GetString(bytes.Span);
            return text.Contains('7', StringComparison.Ordinal) ? "7" : throw new FormatException("no number");
        }
    }
}
