namespace Stout.Documents.Tests;

/// <summary>A call with a wrong argument throws an exception that names the argument.</summary>
public sealed class ArgumentTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Null_is_refused_by_name()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var notes = documents.GetCollection<string>("notes");
        await notes.PutAsync("a", "kept");

        await RefusedAsync("id", () => notes.GetAsync((string)null!, Token).AsTask());
        await RefusedAsync("ids", () => notes.GetManyAsync(null!, Token).AsTask());
        await RefusedAsync("prefix", () => notes.ListAsync(null!, Token).ToListAsync(Token).AsTask());
        await RefusedAsync("change", () => notes.UpdateAsync("a", null!, Token).AsTask());
        await RefusedAsync("change", () => notes.UpdateAsync<int>("a", 1, null!, Token).AsTask());
        await RefusedAsync("change", () => notes.ChangeAsync<int>("a", null!, Token).AsTask());
        await RefusedAsync("change", () => notes.ChangeAsync<int, int>("a", 1, null!, Token).AsTask());
        await RefusedAsync("read", () => notes.ReadAsync<int>("a", null!, Token).AsTask());
        await RefusedAsync("read", () => notes.ReadAsync<int, int>("a", 1, null!, Token).AsTask());
        await RefusedAsync("value", () => notes.SetAsync("a", null!, Token).AsTask());
        Assert.Equal("kept", await notes.GetAsync("a", Token));
    }

    [Fact]
    public async Task Empty_id_is_refused_with_the_room_that_ids_have()
    {
        await using var documents = await Fixture.OpenAsync(new ControlledStore());
        var error = await Assert.ThrowsAsync<InvalidKeyException>(() => documents.GetCollection<string>("notes").GetAsync("", Token).AsTask());
        Assert.Equal((InvalidKeyReason.Empty, PartitionKey.MaxBytes - "notes/".Length), (error.Reason, error.Limit));
    }

    private static async Task RefusedAsync(string name, Func<Task> call) => Assert.Equal(name, (await Assert.ThrowsAsync<ArgumentNullException>(call)).ParamName);
}
