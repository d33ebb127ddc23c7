using Stout.Sqlite.Writing;
using Stout.Storage;

namespace Stout.Sqlite.Tests;

/// <summary>The choice between one and two write requests in flight for a file.</summary>
public sealed class RequestPreferenceTests : IDisposable
{
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Theory]
    [InlineData(0.006, 0.1, 1)] // Measured with one caller.
    [InlineData(0.017, 0.11, 1)] // With 8 callers.
    [InlineData(0.097, 0.19, 2)] // With 64 callers.
    [InlineData(0.88, 0.81, 2)] // With 512 callers.
    [InlineData(0.88, 2.7, 1)] // With 512 callers, and 2 ms longer syncs.
    [InlineData(0.88, 8.8, 1)]
    [InlineData(0, 0, 1)]
    public void Two_when_applying_the_keys_takes_long_beside_the_commit(double applying, double committing, int expected)
    {
        var preference = new RequestPreference();

        Add(preference, 50, applying, committing);

        Assert.Equal(expected, preference.InFlight);
    }

    [Fact]
    public void Half_of_the_keys_in_each_request_changes_nothing()
    {
        var preference = new RequestPreference();
        Add(preference, 50, 0.1, 0.2);
        Assert.Equal(2, preference.InFlight);

        Add(preference, 50, 0.05, 0.15);

        Assert.Equal(2, preference.InFlight);
    }

    [Fact]
    public void One_again_when_the_disk_becomes_slow_or_the_callers_go()
    {
        var preference = new RequestPreference();
        Add(preference, 50, 0.3, 0.4);
        Add(preference, 20, 0.3, 8);
        Assert.Equal(1, preference.InFlight);

        Add(preference, 100, 0.3, 0.4);
        Assert.Equal(2, preference.InFlight);

        Add(preference, 50, 0.006, 0.1);
        Assert.Equal(1, preference.InFlight);
    }

    [Fact]
    public async Task The_partition_measures_its_transactions()
    {
        var slow = "before a key";
        _file.AtStep = step =>
        {
            if (step == slow)
                _file.Time.Advance(TimeSpan.FromMilliseconds(1));
        };
        await using var storage = new SqliteStorage(_file.Options, _file.Time);
        var partition = (await storage.OpenAsync(TestContext.Current.CancellationToken)).Single();
        Assert.Equal(1, partition.PreferredInFlight);

        await WriteAsync(partition, "conflict", expected: new Stamp(0, Guid.NewGuid(), 1));
        Assert.Equal(1, partition.PreferredInFlight); // The refused request synced nothing, so it does not affect the preference.

        await WriteAsync(partition, "applied slowly");
        Assert.Equal(2, partition.PreferredInFlight);

        slow = "before the commit";
        for (var i = 0; i < 20; i++)
            await WriteAsync(partition, $"committed slowly {i}");
        Assert.Equal(1, partition.PreferredInFlight);
    }

    private static async Task WriteAsync(IStorePartition partition, string key, Stamp expected = default)
    {
        var batch = new WriteBatch();
        batch.Add(new KeyWrite(new PartitionKey(key), KeyWriteKind.Merge, expected, null, new Stamp(1, Guid.NewGuid(), 1)), []);
        await partition.WriteAsync(batch, TestContext.Current.CancellationToken);
    }

    private static void Add(RequestPreference preference, int transactions, double applying, double committing)
    {
        for (var i = 0; i < transactions; i++)
            preference.Add(TimeSpan.FromMilliseconds(applying), TimeSpan.FromMilliseconds(committing));
    }
}
