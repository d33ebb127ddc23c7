using System.Text.Json.Serialization;
using Stout.Documents;
using Stout.Storage;

namespace Documentation.Tests;

/// <summary>The table of docs/changing-types.md: old bytes, read as a changed type.</summary>
public sealed class ChangedTypeTests
{
    [Fact]
    public async Task A_new_property_has_its_default() => Assert.Equal(new WithNew("Milk", 3), await ReadAsync<WithNew>());

    [Fact]
    public async Task A_removed_property_is_ignored() => Assert.Equal(new WithRemoved("Milk"), await ReadAsync<WithRemoved>());

    [Fact]
    public async Task A_renamed_property_is_read_under_its_old_name() => Assert.Equal(new WithRenamed("Milk", 3), await ReadAsync<WithRenamed>());

    [Fact]
    public async Task A_new_constructor_parameter_without_a_default_is_null() => Assert.Null((await ReadAsync<WithParameter>())!.Owner);

    [Fact]
    public async Task Another_type_of_a_property_can_not_be_read() => await Assert.ThrowsAsync<PartSerializationException>(ReadAsync<WithOtherType>);

    [Fact]
    public async Task A_new_required_property_can_not_be_read() => await Assert.ThrowsAsync<PartSerializationException>(ReadAsync<WithRequired>);

    /// <summary>Stores a note as it was, and reads it as another type.</summary>
    private static async Task<T?> ReadAsync<T>()
        where T : class
    {
        var store = new InMemoryStore();
        await using (var before = await DocumentStore.OpenAsync(store.Connect(), cancellationToken: TestContext.Current.CancellationToken))
            await before.GetCollection<Note>("notes").SetAsync("1", new Note("Milk", 3), TestContext.Current.CancellationToken);
        await using var after = await DocumentStore.OpenAsync(store, cancellationToken: TestContext.Current.CancellationToken);
        return await after.GetCollection<T>("notes").GetAsync("1", TestContext.Current.CancellationToken);
    }

    private sealed record Note(string Text, int Edits);

    private sealed record WithNew(string Text, int Edits, string Color = "red");

    private sealed record WithRemoved(string Text);

    private sealed record WithRenamed([property: JsonPropertyName("Text")] string Body, int Edits);

    private sealed record WithOtherType(string Text, string Edits);

    private sealed record WithParameter(string Text, int Edits, string Owner);

    private sealed record WithRequired(string Text, int Edits)
    {
        public required string Owner { get; init; }
    }
}
