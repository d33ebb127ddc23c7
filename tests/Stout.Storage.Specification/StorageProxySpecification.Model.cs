namespace Stout.Storage.Specification;

public abstract partial class StorageProxySpecification
{
    /// <summary>Two seeds that stay, and a new one each time; a failure names its seed, which then belongs here.</summary>
    public static TheoryData<int> Seeds { get; } = [1, 2, Random.Shared.Next()];

    [Theory]
    [MemberData(nameof(Seeds))]
    public async Task Twenty_thousand_random_operations_end_as_a_dictionary_would_end_them(int seed)
    {
        var run = new ModelRun(seed, Time, await OpenAsync(), ReopenAsync, OddKeys);

        await using var store = await run.RunAsync(20_000);

        await CheckAfterRandomRunAsync(store);
    }

    /// <summary>What a proxy's own tests check of the store after a random run.</summary>
    protected virtual Task CheckAfterRandomRunAsync(StoreClient store) => Task.CompletedTask;
}
