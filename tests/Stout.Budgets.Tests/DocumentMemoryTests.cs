using Stout.Documents;

namespace Stout.Budgets.Tests;

/// <summary>Compares the memory that the typed layer counts for its cache with the memory that the cache keeps alive.</summary>
public sealed class DocumentMemoryTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData("absent ids", 20_000, 0, 0)]
    [InlineData("small texts", 20_000, 1, 20)]
    [InlineData("large texts", 200, 1, 50_000)]
    [InlineData("many empty parts", 10, 10_000, 0)]
    [InlineData("many small parts", 100, 500, 30)]
    public async Task Cache_counts_memory_within_a_factor_of_two(string what, int objects, int parts, int characters)
    {
        await MeasureAsync(what, objects, parts, documents => documents.GetCollection<string>("texts"), _ => new string('x', characters));
    }

    [Theory]
    [InlineData("small bytes", 20_000, 1, 20)]
    [InlineData("large bytes", 200, 1, 50_000)]
    public async Task Cache_counts_bytes_within_a_factor_of_two(string what, int objects, int parts, int bytes)
    {
        await MeasureAsync(what, objects, parts, documents => documents.GetCollection<byte[]>("bytes"), _ => new byte[bytes]);
    }

    [Fact]
    public async Task Objects_of_many_empty_parts_are_evicted()
    {
        await using var documents = await DocumentStore.OpenAsync(
            new ForgetfulStore(), new DocumentStoreOptions { MaxCachedBytes = 1 << 20 }, cancellationToken: TestContext.Current.CancellationToken);
        var texts = documents.GetCollection<string>("texts");
        for (var i = 0; i < 10; i++)
            await PutAsync(texts, "id" + i, 10_000, static _ => "");
        // The last object may have been durable before its call left it. The next call then evicts it.
        await texts.GetAsync("absent", TestContext.Current.CancellationToken);
        Assert.InRange(documents.Cache.Count, 0, 1);
        for (var i = 0; i < 5_000; i++)
            await texts.GetAsync("absent" + i, TestContext.Current.CancellationToken);
        Assert.InRange(documents.Cache.Bytes, 1, 1 << 20);
    }

    private async Task MeasureAsync<T>(
        string what, int objects, int parts, Func<DocumentStore, DocumentCollection<T>> collection, Func<int, T> value)
        where T : class
    {
        // The end of the former test may continue here, and its stack keeps its objects alive.
        await Task.Yield();
        await using var documents = await DocumentStore.OpenAsync(new ForgetfulStore(), cancellationToken: TestContext.Current.CancellationToken);
        var values = collection(documents);
        await PutAsync(values, "first", 1, value);
        var (before, countedBefore) = (Memory.Live(), documents.Cache.Bytes);
        for (var i = 0; i < objects; i++)
            await PutAsync(values, "id" + i, parts, value);
        var (held, counted) = (Memory.Live() - before, documents.Cache.Bytes - countedBefore);
        output.WriteLine($"{what}: {held / objects} bytes an object held, {counted / objects} counted");
        Assert.InRange(counted / (double)held, 0.5, 2);
        GC.KeepAlive(values);
    }

    private static async Task PutAsync<T>(DocumentCollection<T> values, string id, int parts, Func<int, T> value)
        where T : class
    {
        if (parts == 0)
            await values.GetAsync(id, TestContext.Current.CancellationToken);
        else
            await values.ChangeAsync(id, editor => Fill(editor), TestContext.Current.CancellationToken);

        bool Fill(DocumentEditor<T> editor)
        {
            for (var i = 0; i < parts; i++)
                editor.Set(parts == 1 ? "" : "part" + i, value(i));
            return true;
        }
    }
}
