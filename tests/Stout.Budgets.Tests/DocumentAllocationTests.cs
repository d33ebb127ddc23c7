using Stout.Documents;
using Stout.Pacing;

namespace Stout.Budgets.Tests;

/// <summary>The whole process' allocations for a call of the typed layer, after a warm-up.</summary>
public sealed class DocumentAllocationTests(ITestOutputHelper output)
{
    private const int Writers = 64;
    private const int RoundsEach = 2_000;

    private static readonly string[] Parts = [.. Enumerable.Range(0, 8).Select(part => $"{part}")];

    [Fact]
    public Task Update_of_a_small_record_takes_300_bytes_at_most() => AssertBytesAsync(
        300, static (counters, id) => counters.UpdateAsync(id, static counter => new Counter((counter?.Count ?? 0) + 1)));

    [Fact]
    public Task Change_of_8_parts_takes_1500_bytes_at_most() => AssertBytesAsync(
        1_500,
        static (counters, id) => counters.ChangeAsync<Counter?>(
            id,
            static editor =>
            {
                var next = new Counter((editor["0"]?.Count ?? 0) + 1);
                foreach (var part in Parts)
                    editor.Set(part, next);
                return next;
            }));

    // The budget of one byte is for the test's own tasks, which take less than a byte a call.
    [Fact]
    public Task Get_of_what_is_in_memory_takes_nothing() => AssertBytesAsync(
        1, static (counters, id) => counters.GetAsync(id));

    [Fact]
    public Task Read_of_what_is_in_memory_takes_50_bytes_at_most() => AssertBytesAsync(
        50, static (counters, id) => counters.ReadAsync(id, static view => view["0"]));

    private async Task AssertBytesAsync(double budget, Func<DocumentCollection<Counter>, string, ValueTask<Counter?>> call)
    {
        var options = new DocumentStoreOptions { Stout = new StoutOptions { Pacing = PacingLaws.NoBatching(new() { MaxInFlight = 8 }) } };
        await using var documents = await DocumentStore.OpenAsync(new ForgetfulStore(), options, cancellationToken: TestContext.Current.CancellationToken);
        var counters = documents.GetCollection<Counter>("counters");
        await RunAsync();
        var before = Memory.Allocated();
        await RunAsync();
        var bytes = (Memory.Allocated() - before) / ((double)Writers * RoundsEach);
        output.WriteLine($"{bytes:0.00} bytes each");
        Assert.InRange(bytes, 0, budget);

        Task RunAsync() => Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            var id = $"{writer}";
            for (var round = 0; round < RoundsEach; round++)
                await call(counters, id);
        })));
    }

    private sealed record Counter(int Count);
}
