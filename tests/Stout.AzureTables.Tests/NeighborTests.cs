using System.Collections.Concurrent;
using System.Text;
using System.Text.RegularExpressions;
using Azure.Data.Tables;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

/// <summary>A key that fails does not affect the other keys of its batch, and a transaction that takes too long becomes smaller.</summary>
public sealed class NeighborTests : IDisposable
{
    private readonly TestTable _table;
    private readonly Wire _wire = new();

    public NeighborTests(Server server)
    {
        ArgumentNullException.ThrowIfNull(server);
        _table = new TestTable(server.Account);
        _table.Options.Transport = _wire.Transport;
    }

    public void Dispose()
    {
        _table.Dispose();
        _wire.Dispose();
    }

    [Fact]
    public async Task Refusal_that_names_no_operation_fails_its_key_alone()
    {
        await using var store = await _table.OpenAsync();
        var batch = Batch(store, 16);
        var bad = Row(batch, 11);
        _wire.Instead = request => Wire.IsTransaction(request) && Body(request).Contains(bad, StringComparison.Ordinal)
            ? Wire.Answer(400, ServiceAnswers.Error("InvalidInput", "One of the request inputs is not valid."))
            : null;
        _wire.ResetCounts();

        await store.WriteAsync(batch);

        Assert.All(Enumerable.Range(0, 16), i => Assert.Equal(i == 11 ? WriteOutcomeKind.Refused : WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
        Assert.Equal(9, _wire.Transactions);
    }

    [Fact]
    public async Task Transaction_that_runs_out_of_the_services_time_becomes_smaller()
    {
        await using var store = await _table.OpenAsync();
        var batch = Batch(store, 16);
        _wire.Instead = request => Wire.IsTransaction(request) && Enumerable.Range(0, 16).Count(i => Body(request).Contains(Row(batch, i), StringComparison.Ordinal)) > 4
            ? Wire.Answer(500, ServiceAnswers.Error("OperationTimedOut", "Operation could not be completed within the specified time."))
            : null;

        await store.WriteAsync(batch);

        Assert.All(Enumerable.Range(0, 16), i => Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
    }

    [Fact]
    public async Task Key_that_another_client_wrote_after_a_time_out_is_unknown_and_its_neighbors_are_committed()
    {
        await using var store = await _table.OpenAsync();
        var batch = Batch(store, 4);
        var other = store.AnotherWriter();
        var timeouts = 1;
        _wire.Instead = request =>
        {
            if (!Wire.IsTransaction(request) || timeouts-- != 1)
                return null;
            _table.Other.AddEntity(new TableEntity("0000", Row(batch, 2)) { ["Stamp"] = other.NextStamp().ToHex() }, TestContext.Current.CancellationToken);
            return Wire.Answer(500, ServiceAnswers.Error("OperationTimedOut", "Operation could not be completed within the specified time."));
        };

        await store.WriteAsync(batch);

        Assert.All(Enumerable.Range(0, 4), i => Assert.Equal(i == 2 ? WriteOutcomeKind.Unknown : WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
    }

    [Fact]
    public async Task Key_whose_header_never_stays_is_busy_and_its_neighbors_are_committed()
    {
        await using var store = await _table.OpenAsync();
        var first = Batch(store, 4);
        await store.WriteAsync(first);
        var batch = new WriteBatch();
        for (var i = 0; i < 4; i++)
            store.Add(batch, store.NewWrite(first[i].Key.Text, first[i].Next), Part("", "y"));
        _wire.Instead = request =>
        {
            // A client other than Stout changes the row between each of the proxy's reads and writes.
            if (Wire.IsTransaction(request))
                _table.Other.UpsertEntity(new TableEntity("0000", Row(batch, 1)) { ["Foreign"] = Guid.NewGuid() }, cancellationToken: TestContext.Current.CancellationToken);
            return null;
        };

        await store.WriteAsync(batch);

        Assert.All(Enumerable.Range(0, 4), i => Assert.Equal(i == 1 ? WriteOutcomeKind.Busy : WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
    }

    [Fact]
    public async Task Damaged_header_fails_its_key_alone_and_for_good()
    {
        await using var store = await _table.OpenAsync();
        var first = Batch(store, 3);
        await store.WriteAsync(first);
        await _table.Other.UpsertEntityAsync(new TableEntity("0000", Row(first, 1)) { ["Stamp"] = "nonsense" }, cancellationToken: TestContext.Current.CancellationToken);
        var batch = new WriteBatch();
        for (var i = 0; i < 3; i++)
            batch.Add(new KeyWrite(first[i].Key, KeyWriteKind.Merge, first[i].Next, null, store.NextStamp()), [Part("", "y")]);

        await store.WriteAsync(batch);
        var reads = await store.ReadAsync([.. Enumerable.Range(0, 3).Select(i => first[i].Key.Text)]);

        Assert.All(Enumerable.Range(0, 3), i => Assert.Equal(i == 1 ? WriteOutcomeKind.Refused : WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
        Assert.Equal([ReadOutcomeKind.Read, ReadOutcomeKind.Refused, ReadOutcomeKind.Read], reads.Select(read => read.Kind));
    }

    [Fact]
    public async Task Large_values_go_in_transactions_of_4_MiB_at_most()
    {
        await using var store = await _table.OpenAsync();
        var value = new byte[600_000];
        var batch = new WriteBatch();
        foreach (var key in store.KeysTogether(8))
            store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", value));
        var lengths = new ConcurrentBag<long>();
        _wire.Instead = request =>
        {
            if (Wire.IsTransaction(request))
                lengths.Add(request.Content!.Headers.ContentLength!.Value);
            return null;
        };

        await store.WriteAsync(batch);

        Assert.All(Enumerable.Range(0, 8), i => Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
        Assert.All(lengths, length => Assert.InRange(length, 1, 4 << 20));
        Assert.Equal(2, lengths.Count);
    }

    private static WriteBatch Batch(StoreClient store, int count)
    {
        var batch = new WriteBatch();
        foreach (var key in store.KeysTogether(count))
            store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", "x"));
        return batch;
    }

    private static string Row(WriteBatch batch, int index) => Rows.RowKeys.Header(Rows.RowKeys.Encode(batch[index].Key.Text));

    // The request's body without escapes: row keys in it are escaped as part of an address, or as JSON.
    private static string Body(HttpRequestMessage request)
    {
        var body = Encoding.UTF8.GetString(request.Content!.ReadAsByteArrayAsync().GetAwaiter().GetResult());
        return Regex.Replace(Uri.UnescapeDataString(body), @"\\u([0-9A-Fa-f]{4})", unit => $"{(char)Convert.ToUInt16(unit.Groups[1].Value, 16)}");
    }
}
