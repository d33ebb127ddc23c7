using SQLitePCL;
using Stout.Sqlite.Native;
using Stout.Sqlite.Writing;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>Sweeping under a load that leaves the writer no idle time. The tests call the writer's session directly, without its idle steps.</summary>
public sealed class SteadyLoadTests : IDisposable
{
    private const string Parts = "SELECT count(*) FROM part";
    private const string Garbage = "SELECT count(*) FROM garbage";
    private const string Headers = "SELECT count(*) FROM header";
    private readonly StoreFile _file = new();
    private readonly Dictionary<string, Stamp> _stamps = [];
    private long _sequence;

    public void Dispose() => _file.Dispose();

    [Fact]
    public async Task Rows_of_a_replaced_object_go_in_the_transaction_that_replaces_it()
    {
        using var session = await SessionAsync();
        for (var round = 0; round < 50; round++)
        {
            Write(session, KeyWriteKind.Replace, ["a", "b", "c"], parts: 20);

            Assert.Equal((60, 0), (_file.Ask(Parts), _file.Ask(Garbage)));
        }
    }

    [Fact]
    public async Task File_does_not_grow_while_objects_are_replaced()
    {
        using var session = await SessionAsync();
        Write(session, KeyWriteKind.Replace, ["a", "b", "c"], parts: 20, bytes: 1_000);
        Write(session, KeyWriteKind.Replace, ["a", "b", "c"], parts: 20, bytes: 1_000);
        var pages = _file.Ask("PRAGMA page_count");

        for (var round = 0; round < 200; round++)
            Write(session, KeyWriteKind.Replace, ["a", "b", "c"], parts: 20, bytes: 1_000);

        Assert.InRange(_file.Ask("PRAGMA page_count"), 1, 2 * pages);
    }

    [Fact]
    public async Task Stored_rows_do_not_grow_while_large_objects_are_made_and_deleted()
    {
        using var session = await SessionAsync();
        for (var round = 0; round < 20; round++)
        {
            Write(session, KeyWriteKind.Replace, ["large"], parts: 1_000);
            Write(session, KeyWriteKind.Delete, ["large"]);

            Assert.InRange(_file.Ask(Parts), 0, 1_000);
        }
    }

    [Fact]
    public async Task Garbage_of_a_large_object_goes_with_the_writes_of_others_and_in_bounded_steps()
    {
        using var session = await SessionAsync();
        Write(session, KeyWriteKind.Replace, ["large"], parts: 1_000);
        Write(session, KeyWriteKind.Delete, ["large"]);
        var left = new List<long> { 1_000, _file.Ask(Parts) };

        while (left[^1] > 0 && left.Count < 100)
        {
            Write(session, KeyWriteKind.Merge, ["small"]);
            left.Add(_file.Ask(Parts));
        }

        Assert.Equal((0, 0), (left[^1], _file.Ask(Garbage)));
        Assert.All(left.Zip(left.Skip(1)), pair => Assert.InRange(pair.First - pair.Second, 1, SweepAllowance.DefaultPerTransaction));
    }

    [Fact]
    public async Task Rows_with_large_values_count_by_their_pages()
    {
        using var session = await SessionAsync();
        Write(session, KeyWriteKind.Replace, ["large"], parts: 10, bytes: 1 << 20);
        Write(session, KeyWriteKind.Delete, ["large"]);
        Assert.Equal(9, _file.Ask(Parts));

        Write(session, KeyWriteKind.Merge, ["small"]);

        Assert.Equal(8, _file.Ask(Parts));
    }

    [Fact]
    public async Task Deleted_headers_go_with_the_writes_of_others()
    {
        using var session = await SessionAsync();
        string[] keys = [.. Enumerable.Range(0, 200).Select(i => $"key {i}")];
        Write(session, KeyWriteKind.Replace, keys, parts: 1);
        Write(session, KeyWriteKind.Delete, keys);
        _file.Time.Advance(_file.Options.Sweeping.Retention);

        for (var i = 0; i < 10; i++)
            Write(session, KeyWriteKind.Merge, ["small"]);

        Assert.Equal(1, _file.Ask(Headers));
    }

    [Fact]
    public async Task Header_stays_as_long_as_rows_of_its_key_do()
    {
        using var session = await SessionAsync();
        Write(session, KeyWriteKind.Replace, ["large"], parts: 1_000);
        Write(session, KeyWriteKind.Delete, ["large"]);
        Write(session, KeyWriteKind.Merge, ["small"]);
        _file.Time.Advance(_file.Options.Sweeping.Retention * 2);

        for (var i = 0; i < 100 && _file.Ask(Headers) > 1; i++)
        {
            Write(session, KeyWriteKind.Merge, ["small"]);
            Assert.True(_file.Ask(Parts) == 0 || _file.Ask(Headers) == 2);
        }

        Assert.Equal((0, 1), (_file.Ask(Parts), _file.Ask(Headers)));
    }

    [Theory]
    [InlineData("before the commit")]
    [InlineData("before the sweep")]
    public async Task Sweep_that_is_rolled_back_is_not_forgotten(string failing)
    {
        using var session = await SessionAsync();
        Write(session, KeyWriteKind.Replace, ["large"], parts: 100);
        Write(session, KeyWriteKind.Delete, ["large"]);
        var garbage = _file.Ask(Parts);
        _file.AtStep = step =>
        {
            if (step != failing)
                return;
            _file.AtStep = null;
            throw new SqliteFailure(raw.SQLITE_FULL, "planted");
        };

        var batch = Write(session, KeyWriteKind.Merge, ["small"]);

        // If only the sweep fails for lack of space, the keys are written nevertheless.
        Assert.Equal(failing == "before the sweep" ? WriteOutcomeKind.Committed : WriteOutcomeKind.Refused, batch.OutcomeOf(0).Kind);
        Assert.Equal(garbage, _file.Ask(Parts));

        // After a failed sweep there is a pause, in which no batch is written twice for the sake of the sweep.
        if (failing == "before the sweep")
        {
            Write(session, KeyWriteKind.Merge, ["meanwhile"]);
            Assert.Equal(garbage, _file.Ask(Parts));
            Assert.Equal((1, StoreErrorKind.Full), (session.Jobs[0].Failures, session.Jobs[0].Failure?.Kind));
            _file.Time.Advance(TimeSpan.FromSeconds(1));
        }

        Write(session, KeyWriteKind.Merge, ["other"]);
        Assert.All(session.Jobs, static job => Assert.Null(job.Failure));
        Assert.Equal((0, 0), (_file.Ask(Parts), _file.Ask(Garbage)));
    }

    private async Task<WriterSession> SessionAsync()
    {
        await (await _file.OpenAsync()).DisposeAsync();
        return new WriterSession(_file.Path, _file.Path + ".lock", _file.Options, _file.Time, static () => { });
    }

    private WriteBatch Write(WriterSession session, KeyWriteKind kind, string[] keys, int parts = 0, int bytes = 1)
    {
        var batch = new WriteBatch();
        foreach (var key in keys)
        {
            var next = new Stamp(0, Guid.Empty, ++_sequence);
            PartWrite[] written = [.. Enumerable.Range(0, parts).Select(i => Part($"{i}", new byte[bytes]))];
            batch.Add(new KeyWrite(new PartitionKey(key), kind, _stamps.GetValueOrDefault(key), null, next), written);
            _stamps[key] = next;
        }

        session.Write(batch);
        return batch;
    }
}
