using System.Buffers;
using BenchmarkDotNet.Attributes;
using Stout.Lanes;
using Stout.Paper;

namespace Stout.Benchmarks.Micro;

/// <summary>The cost of serializing a batch of keys with a Serialize callback that copies bytes.</summary>
[MemoryDiagnoser]
public class SerializationBenchmarks
{
    private const int Keys = 64;

    private readonly SerializationBatch _batch = new();
    private readonly MarkedKey[] _keys = new MarkedKey[Keys];
    private readonly List<SubKey> _scratch = [];
    private byte[] _value = [];
    private long _run;

    /// <summary>The size of each key's value.</summary>
    [Params(64, 4096)]
    public int ValueBytes { get; set; }

    /// <summary>Makes the keys.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _value = new byte[ValueBytes];
        for (var i = 0; i < Keys; i++)
            _keys[i] = new MarkedKey(new PendingWork { Handle = new KeyHandle(null!, new PartitionKey($"key {i:D6}")) }, new PaperRoom(new StoutOptions()));
    }

    /// <summary>One key's share of a batch of 64 keys.</summary>
    [Benchmark(Description = "write and push", OperationsPerInvoke = Keys)]
    public void WriteAndPush()
    {
        _batch.Begin(++_run);
        foreach (var key in _keys)
        {
            key.Carried.Clear();
            key.Carried.Mark(SubKey.Root, PartMark.Dirty);
            _batch.Add(key);
        }

        for (var i = 0; i < Keys; i++)
            _batch[i].Write(SubKey.Root).Write(_value);
        _batch.End();
        for (var i = 0; i < Keys; i++)
        {
            _keys[i].Work.Carried.Clear();
            _batch.PushTo(ref _keys[i].Work.Carried, i, _scratch);
        }

        _batch.Clear();
    }
}
