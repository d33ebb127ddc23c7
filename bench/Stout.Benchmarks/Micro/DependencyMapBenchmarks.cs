using BenchmarkDotNet.Attributes;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;

namespace Stout.Benchmarks.Micro;

/// <summary>Measures a lane's core on one thread: the path from marking a key dirty to releasing its message, and each step alone.</summary>
[MemoryDiagnoser]
public class DependencyMapBenchmarks
{
    private const int Keys = 10_000;

    private readonly CoreCycle _core = new(Keys);
    private readonly CallbackMessage<int>[] _messages = new CallbackMessage<int>[Keys];

    /// <summary>Makes the messages outside the measurement.</summary>
    [GlobalSetup]
    public void Setup()
    {
        for (var i = 0; i < Keys; i++)
            _messages[i] = new CallbackMessage<int>(_core.HandleOf(i), 0, static (_, _) => { });
    }

    /// <summary>Marks each key dirty, and writes and commits all keys. The figure is the cost per key.</summary>
    [Benchmark(Description = "mark, freeze, commit", Baseline = true, OperationsPerInvoke = Keys)]
    public void Change()
    {
        for (var i = 0; i < Keys; i++)
            _core.Mark(i);
        _core.Flush();
    }

    /// <summary>Marks each key dirty, writes and commits all keys, and releases a message of each key. The figure is the cost per key.</summary>
    [Benchmark(Description = "mark, send, freeze, commit, release", OperationsPerInvoke = Keys)]
    public long ChangeWithMessage()
    {
        for (var i = 0; i < Keys; i++)
        {
            _core.Mark(i);
            _core.Send(i, _messages[i]);
        }

        _core.Flush();
        return _core.Released;
    }

    /// <summary>Marks each key ten times between two batches. The figure is the cost of one mark and of a tenth of a write.</summary>
    [Benchmark(Description = "collapsed mark", OperationsPerInvoke = 10 * Keys)]
    public void CollapsedMark()
    {
        for (var round = 0; round < 10; round++)
        {
            for (var i = 0; i < Keys; i++)
                _core.Mark(i);
        }

        _core.Flush();
    }

    /// <summary>Puts all messages into a key's queue, and takes them out. The figure is the cost per message.</summary>
    [Benchmark(Description = "message queue", OperationsPerInvoke = Keys)]
    public object? Queue()
    {
        var queue = new MessageQueue();
        foreach (var message in _messages)
            queue.Enqueue(message);
        return queue.TakeAll();
    }
}
