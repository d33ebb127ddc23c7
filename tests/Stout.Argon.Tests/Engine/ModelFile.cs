using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>
/// One object's file on a disk that may lose power. A block's content is one number: the version that was written; 0 stands for zeros. Writes of blocks and
/// headers are durable after a sync; a power cut keeps any subset of the others.
/// </summary>
internal sealed class ModelFile
{
    private readonly Dictionary<long, int> _durable = [];
    private readonly List<(long Block, int Version)> _unsynced = [];
    private readonly List<long> _headers = [0];

    /// <summary>The length of the last header that was written.</summary>
    public long Length => _headers[^1];

    /// <summary>The bytes of data with space.</summary>
    public long Reserved { get; private set; }

    public int this[long block]
    {
        get
        {
            var last = _unsynced.FindLastIndex(write => write.Block == block);
            return last >= 0 ? _unsynced[last].Version : _durable.GetValueOrDefault(block);
        }
    }

    public void Write(long block, int version)
    {
        if ((block + 1) * 4096 > Reserved)
            throw new InvalidOperationException($"block {block} is written without reserved space");
        _unsynced.Add((block, version));
    }

    public void WriteHeader(long length) => _headers.Add(length);

    public void Reserve(long end) => Reserved = Math.Max(Reserved, end);

    public void Sync()
    {
        foreach (var (block, version) in _unsynced)
            _durable[block] = version;
        _unsynced.Clear();
        _headers.RemoveRange(0, _headers.Count - 1);
    }

    public void Cut(long length)
    {
        var kept = (length + 4095) / 4096;
        Reserved = kept * 4096;
        _unsynced.RemoveAll(write => write.Block >= kept);
        foreach (var block in _durable.Keys.Where(block => block >= kept).ToList())
            _durable.Remove(block);
    }

    /// <summary>Cuts the power: the file then has some of the writes since the last sync, and is recovered as an opening does.</summary>
    public void LosePower(Random random)
    {
        foreach (var (block, version) in _unsynced.Where(_ => random.Next(2) == 0))
            _durable[block] = version;
        _unsynced.Clear();
        var header = _headers[random.Next(_headers.Count)];
        _headers.Clear();
        _headers.Add(header);
        Cut(header);
    }
}
