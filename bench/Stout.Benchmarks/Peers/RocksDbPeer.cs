using System.Text;
using RocksDbSharp;

namespace Stout.Benchmarks.Peers;

/// <summary>RocksDB with default options. RocksDB groups the writes of threads that wait for the log.</summary>
internal sealed class RocksDbPeer(string path) : IPeer
{
    private readonly RocksDb _db = RocksDb.Open(new DbOptions().SetCreateIfMissing(true), path);
    private readonly WriteOptions _synced = new WriteOptions().SetSync(true);

    public string Durability => "WriteOptions.sync: each write waits until the log is synced";

    public bool Blocks => true;

    public ValueTask WriteAsync(Player player)
    {
        _db.Put(Encoding.UTF8.GetBytes(player.Id), player.ToBytes(), writeOptions: _synced);
        return default;
    }

    public ValueTask DisposeAsync()
    {
        _db.Dispose();
        return default;
    }
}
