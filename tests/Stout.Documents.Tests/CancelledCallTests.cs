using Stout.Storage;

namespace Stout.Documents.Tests;

public sealed class CancelledCallTests
{
    private static readonly CancellationToken Cancelled = new(canceled: true);

    [Fact]
    public async Task Call_with_a_cancelled_token_neither_answers_nor_changes_although_the_object_is_in_memory()
    {
        await using var documents = await DocumentStore.OpenAsync(new InMemoryStore(), cancellationToken: TestContext.Current.CancellationToken);
        var notes = documents.GetCollection<string>("notes");
        await notes.UpdateAsync("a", _ => "kept", TestContext.Current.CancellationToken);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => notes.GetAsync("a", Cancelled).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => notes.ReadAsync("a", static view => view.Exists, Cancelled).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => notes.UpdateAsync("a", _ => "changed", Cancelled).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => notes.DeleteAsync("a", Cancelled).AsTask());

        Assert.Equal("kept", await notes.GetAsync("a", TestContext.Current.CancellationToken));
    }
}
