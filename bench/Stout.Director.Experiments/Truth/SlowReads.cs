namespace Stout.Director.Experiments.Truth;

/// <summary>The reads of a time, and those slower than each threshold. Many threads call it.</summary>
internal sealed class SlowReads
{
    private readonly Lock _lock = new();
    private readonly double[] _slower = new double[TruthSetup.Thresholds.Count];
    private double _reads;

    public void Add(TimeSpan latency)
    {
        lock (_lock)
        {
            _reads++;
            for (var i = 0; i < _slower.Length && latency.TotalSeconds > TruthSetup.Thresholds[i]; i++)
                _slower[i]++;
        }
    }

    /// <summary>The number of reads, and the share slower than each threshold, since the last call.</summary>
    public (double Reads, double[] Slow) Take()
    {
        lock (_lock)
        {
            var taken = (_reads, _slower.Select(count => _reads > 0 ? count / _reads : 0).ToArray());
            _reads = 0;
            Array.Clear(_slower);
            return taken;
        }
    }
}
