using System.Buffers;
using BenchmarkDotNet.Attributes;
using Stout.Lanes.Core;
using Stout.Paper;
using Stout.Storage;

namespace Stout.Benchmarks.Micro;

/// <summary>The cost of serializing a batch of keys with a Serialize callback that copies bytes.</summary>
[MemoryDiagnoser]
public class SerializationBenchmarks
{
    private const int Keys = 64;

    private readonly SerializationBatch _batch = new();
    private readonly PendingWork[] _work = new PendingWork[Keys];
    private readonly List<PartWrite> _parts = [];
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
            _work[i] = new PendingWork { Handle = new KeyHandle(null!, new PartitionKey($"key {i:D6}")) };
    }

    /// <summary>One key's share of a batch of 64 keys.</summary>
    [Benchmark(Description = "write and collect", OperationsPerInvoke = Keys)]
    public void WriteAndCollect()
    {
        _batch.Begin(++_run);
        foreach (var work in _work)
        {
            work.Carried.Clear();
            work.Carried.Set(SubKey.Root, MarkedPart.Dirty);
            _batch.Add(work);
        }

        for (var i = 0; i < Keys; i++)
            _batch[i].Write(SubKey.Root).Write(_value);
        _batch.End();
        for (var i = 0; i < Keys; i++)
            _work[i].Carried.Collect(_parts);
        _batch.Clear();
    }
}
