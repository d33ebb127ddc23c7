using Stout.AzureTables.Rows;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

/// <summary>Objects whose rows come in several pages.</summary>
public sealed class PagedReadTests : IDisposable
{
    private readonly TestTable _table;
    private readonly Wire _wire = new();

    public PagedReadTests(Server server)
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
    public async Task Write_between_two_pages_is_seen_whole_or_not_at_all()
    {
        await using var store = await _table.OpenAsync();
        var stamp = await PutPagesAsync(store);
        await using var reader = store.AnotherWriter();
        var written = default(Stamp);
        _wire.After = async request =>
        {
            // The first page has been read. It contains the first part, and not the last one.
            if (!Wire.IsTransaction(request) && written.IsAbsent)
            {
                written = stamp;
                written = await store.PutAsync("key", stamp, parts: [Part("0000", "new"), Part("1077", "new")]);
            }
        };

        var read = await reader.ReadAsync("key");

        Assert.Equal((written, 1_078), (read.Version, read.Parts.Count));
        Assert.Equal(["0000=new", "1077=new"], read.Parts.Where(p => p.Value.Span.SequenceEqual("new"u8)).Select(p => $"{p.SubKey}=new").Order());
    }

    [Fact]
    public async Task Object_whose_header_goes_between_two_pages_is_absent()
    {
        await using var store = await _table.OpenAsync();
        await PutPagesAsync(store);
        var isRemoved = false;
        _wire.After = async request =>
        {
            if (!Wire.IsTransaction(request) && !isRemoved)
            {
                isRemoved = true;
                await _table.Other.DeleteEntityAsync("0000", RowKeys.Header(RowKeys.Encode(new PartitionKey("key"))));
            }
        };

        var read = await store.ReadAsync("key");

        Assert.True(isRemoved);
        Assert.Equal((ReadOutcomeKind.Read, Stamp.Absent), (read.Kind, read.Version));
    }

    /// <summary>Writes an object of 1,078 parts. A page of the service has 1,000 rows.</summary>
    private static async Task<Stamp> PutPagesAsync(StoreClient store)
    {
        var stamp = Stamp.Absent;
        for (var i = 0; i < 11; i++)
            stamp = await store.PutAsync("key", stamp, parts: [.. Enumerable.Range(0, 98).Select(j => Part($"{(98 * i) + j:D4}", "old"))]);
        return stamp;
    }
}
