using System.Diagnostics;
using Stout.Documents;
using Stout.PostgreSql;

namespace Stout.Against;

/// <summary>One replica of several: its callers change one object that the callers of all replicas change, and retry on conflict.</summary>
internal static class Replica
{
    public static async Task RunAsync(string schema, int callers, TimeSpan time)
    {
        await using var store = await DocumentStore.OpenAsync(new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = [Turns.PostgreSql], Schema = schema }));
        var counters = store.GetCollection<Counter>("counters", new CollectionOptions<Counter> { OnConflict = OnConflict.Retry });
        await counters.GetAsync("one");

        // The replicas begin together: each says that it is ready, and waits for the line that starts all.
        Console.WriteLine("ready");
        Console.ReadLine();
        var start = Stopwatch.GetTimestamp();
        var calls = await Task.WhenAll(Enumerable.Range(0, callers).Select(_ => Task.Run(async () =>
        {
            List<double> milliseconds = [];
            while (Stopwatch.GetElapsedTime(start) < time)
            {
                var began = Stopwatch.GetTimestamp();
                try
                {
                    await counters.UpdateAsync("one", static counter => new Counter((counter?.Count ?? 0) + 1));
                }
                catch (ConflictException)
                {
                    continue; // The attempts are used up, which counts as no change.
                }

                milliseconds.Add(Stopwatch.GetElapsedTime(began).TotalMilliseconds);
            }

            return milliseconds;
        })));
        Console.WriteLine(string.Join(' ', calls.SelectMany(static caller => caller).Select(static latency => latency.ToString("0.00", System.Globalization.CultureInfo.InvariantCulture))));
    }

    private sealed record Counter(int Count);
}
