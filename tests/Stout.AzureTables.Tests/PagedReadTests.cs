using Stout.Storage;
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
        var stamp = Stamp.Absent;
        for (var i = 0; i < 11; i++)
            stamp = await store.PutAsync("key", stamp, parts: [.. Enumerable.Range(0, 98).Select(j => Part($"{(98 * i) + j:D4}", "old"))]);
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
}
