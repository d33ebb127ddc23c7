using System.Globalization;
using Stout.Storage;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>The environment variable with the seed of the random run. Without it the runs use two fixed seeds and a new one.</summary>
    public const string SeedVariable = "STOUT_SEED";

    /// <summary>The seeds of the random run. A failure names its seed.</summary>
    public static TheoryData<int> Seeds { get; } = int.TryParse(
        Environment.GetEnvironmentVariable(SeedVariable), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var seed)
            ? [seed]
            : [1, 2, Random.Shared.Next()];

    /// <summary>The number of operations of a random run: 20,000. The test class of a remote store may reduce the number.</summary>
    protected virtual int RandomOperations => 20_000;

    /// <summary>Tests all promises together, by random operations. <see cref="SeedVariable"/> repeats a run.</summary>
    [Theory]
    [MemberData(nameof(Seeds))]
    public async Task Random_operations_of_two_writers_end_as_a_dictionary_would_end_them(int seed)
    {
        TestContext.Current.TestOutputHelper?.WriteLine($"{SeedVariable}={seed} repeats this run.");
        var first = await OpenAsync();
        var run = new ModelRun(seed, Time, [first, await OpenSecondAsync(first)], ReopenBothAsync, OddKeys);

        await using var store = await run.RunAsync(RandomOperations);

        await CheckAfterRandomRunAsync(store);
    }

    /// <summary>Additional checks of the store after a random run; by default no checks.</summary>
    /// <param name="store">The only open client. It may be disposed.</param>
    protected virtual Task CheckAfterRandomRunAsync(StoreClient store) => Task.CompletedTask;

    private async Task<StoreClient[]> ReopenBothAsync(StoreClient[] clients)
    {
        await clients[1].DisposeAsync();
        var first = await ReopenAsync(clients[0]);
        return [first, await OpenSecondAsync(first)];
    }
}
