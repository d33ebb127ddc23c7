using System.Text;
using RocksDbSharp;

namespace Stout.Benchmarks.Peers;

/// <summary>RocksDB behind a channel: one synced write batch for all records that wait.</summary>
internal sealed class RocksDbBatchPeer : IPeer
{
    private readonly RocksDb _db;
    private readonly WriteOptions _synced = new WriteOptions().SetSync(true);
    private readonly ChannelWriter _writer;

    /// <param name="path">The folder of the database.</param>
    public RocksDbBatchPeer(string path)
    {
        _db = RocksDb.Open(new DbOptions().SetCreateIfMissing(true), path);
        _writer = new ChannelWriter(Write);
    }

    public string Durability => "WriteOptions.sync: each batch waits until the log is synced";

    public ValueTask WriteAsync(Player player) => _writer.WriteAsync(player);

    public async ValueTask DisposeAsync()
    {
        await _writer.DisposeAsync();
        _db.Dispose();
    }

    private ValueTask Write(List<Player> players)
    {
        using var batch = new WriteBatch();
        foreach (var player in players)
            batch.Put(Encoding.UTF8.GetBytes(player.Id), player.ToBytes());
        _db.Write(batch, _synced);
        return default;
    }
}
