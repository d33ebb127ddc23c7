using Stout.SqlServer.Sweeping;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.SqlServer.Tests;

/// <summary>Dead rows are deleted in small steps, and other rows stay.</summary>
public sealed class SweeperTests : IAsyncDisposable
{
    private const string Parts = "SELECT COUNT(*) FROM [stout].[part]";
    private const string DeletedHeaders = "SELECT COUNT(*) FROM [stout].[header] WHERE deleted_at IS NOT NULL";
    private const string Garbage = "SELECT COUNT(*) FROM [stout].[garbage]";
    private readonly ServerSchema _schema = new();

    public ValueTask DisposeAsync() => _schema.DisposeAsync();

    [Fact]
    public async Task Rows_of_deleted_and_replaced_objects_go_and_those_of_living_ones_stay()
    {
        await using var store = await _schema.OpenAsync();
        var many = Enumerable.Range(0, 200).Select(i => Part($"{i}", "x")).ToArray();
        var deleted = await store.PutAsync("deleted", Stamp.Absent, parts: many);
        var replaced = await store.PutAsync("replaced", Stamp.Absent, parts: many);
        await store.PutAsync("untouched", Stamp.Absent, parts: [Part("a", "1")]);

        // A second proxy makes these changes. They are too few to make its own sweeper sweep at once.
        await using var other = await _schema.OpenAsync();
        await other.PutAsync("deleted", deleted, KeyWriteKind.Delete);
        await other.PutAsync("replaced", replaced, KeyWriteKind.Replace, parts: [Part("a", "new"), Part("b", "new")]);
        var left = new List<int> { await _schema.AskAsync<int>(Parts) };

        await SweepAsync(async () => left.Add(await _schema.AskAsync<int>(Parts)));
        left.Add(await _schema.AskAsync<int>(Parts));

        Assert.Equal(403, left[0]);
        Assert.All(left.Zip(left.Skip(1)), pair => Assert.InRange(pair.First - pair.Second, 0, 256));
        Assert.Equal((3, 0, 1), (left[^1], await _schema.AskAsync<int>(Garbage), await _schema.AskAsync<int>(DeletedHeaders)));
        Assert.Equal("a=new b=new", Show(await store.ReadAsync("replaced")));
        Assert.Equal("a=1", Show(await store.ReadAsync("untouched")));
    }

    [Fact]
    public async Task Deleted_header_goes_when_its_time_is_over_and_not_before()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        var retention = store.Proxy.Limits.DeletedHeaderRetention!.Value;

        _schema.Time.Advance(retention - TimeSpan.FromMilliseconds(1));
        await SweepAsync();
        Assert.Equal(1, await _schema.AskAsync<int>(DeletedHeaders));

        _schema.Time.Advance(TimeSpan.FromMilliseconds(1));
        await SweepAsync();
        Assert.Equal(0, await _schema.AskAsync<int>(DeletedHeaders));
        Assert.True((await store.ReadAsync("key")).Version.IsAbsent);
    }

    [Fact]
    public async Task Claim_of_a_deleted_key_keeps_its_header_for_the_full_time_again()
    {
        await using var store = await _schema.OpenAsync();
        var claimed = await store.ClaimAsync("key");
        var stamp = await store.PutAsync("key", Stamp.Absent, owner: claimed.Owner, parts: [Part("", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete, claimed.Owner);
        var retention = store.Proxy.Limits.DeletedHeaderRetention!.Value;
        _schema.Time.Advance(retention / 2);
        await store.ClaimAsync("key");

        _schema.Time.Advance(retention * 0.75);
        await SweepAsync();

        Assert.Equal(1, await _schema.AskAsync<int>(DeletedHeaders));
        Assert.Equal(2, (await store.ReadHeaderAsync("key")).Owner.Epoch);
    }

    [Fact]
    public async Task Key_that_came_back_keeps_its_header_and_its_rows()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1"), Part("b", "2")]);
        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        stamp = await store.PutAsync("key", stamp, parts: [Part("b", "new")]);

        _schema.Time.Advance(store.Proxy.Limits.DeletedHeaderRetention!.Value * 2);
        await SweepAsync();

        Assert.Equal((1, 0), (await _schema.AskAsync<int>(Parts), await _schema.AskAsync<int>(Garbage)));
        var read = await store.ReadAsync("key");
        Assert.Equal((stamp, "b=new"), (read.Version, Show(read)));
    }

    /// <summary>The rows come back if the session rolls back. Without their header they would be indistinguishable from the rows of a new object.</summary>
    [Fact]
    public async Task Deleted_header_stays_while_another_session_removes_its_rows()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1")]);
        await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        await using (await OtherSession.ChangeAsync(_schema, "DELETE FROM [stout].[part]; DELETE FROM [stout].[garbage]"))
        {
            _schema.Time.Advance(store.Proxy.Limits.DeletedHeaderRetention!.Value * 2);
            await SweepAsync();
            Assert.Equal(1, await _schema.AskAsync<int>(DeletedHeaders));
        }

        // The first sweep removes the rows, and the second one, which finds no rows, removes the header.
        await SweepAsync();
        await SweepAsync();
        Assert.Equal((0, 0), (await _schema.AskAsync<int>(DeletedHeaders), await _schema.AskAsync<int>(Parts)));
    }

    [Fact]
    public async Task Writes_that_leave_many_dead_rows_have_them_swept_although_no_time_passes()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = Stamp.Absent;
        var parts = Enumerable.Range(0, 64).Select(i => Part($"{i}", "x")).ToArray();
        for (var i = 0; i < 40; i++)
            stamp = await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: parts);

        // Beyond the limit a write waits for the sweep. The rows written since then, and those of one object, remain.
        Assert.InRange(await _schema.AskAsync<int>(Parts), 64, SweepDebt.Limit + (2 * 64));
    }

    /// <summary>Two processes of a service sweep the same database.</summary>
    [Fact]
    public async Task Sweepers_beside_each_other_and_beside_writes_disturb_nobody()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = Stamp.Absent;
        var sweeping = true;
        var sweeps = Enumerable.Range(0, 2).Select(_ => Task.Run(async () =>
        {
            while (Volatile.Read(ref sweeping))
                await SweepAsync();
        })).ToList();

        for (var i = 0; i < 30; i++)
            stamp = await store.PutAsync("key", stamp, i % 3 == 2 ? KeyWriteKind.Delete : KeyWriteKind.Replace, parts: i % 3 == 2 ? [] : [Part("a", $"{i}"), Part("b", $"{i}")]);
        await store.PutAsync("key", stamp, parts: [Part("a", "last")]);
        Volatile.Write(ref sweeping, false);
        await Task.WhenAll(sweeps);
        await SweepAsync();

        Assert.Equal("a=last", Show(await store.ReadAsync("key")));
        Assert.Equal((1, 0), (await _schema.AskAsync<int>(Parts), await _schema.AskAsync<int>(Garbage)));
    }

    /// <summary>Sweeps with a sweeper whose own timer stands still.</summary>
    private async Task SweepAsync(Func<Task>? afterEach = null)
    {
        await using var sweeper = _schema.NewSweeper();
        while (await sweeper.StepAsync(TestContext.Current.CancellationToken))
            await (afterEach?.Invoke() ?? Task.CompletedTask);
    }
}
