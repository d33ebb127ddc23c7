namespace Stout.Argon.Engine;

/// <summary>
/// The counts and the disk time of a service. The totals only grow. The figures of an epoch begin anew at <see cref="BeginEpoch"/>; an epoch is a measuring
/// period: one trial or one check of the service's profile.
/// </summary>
internal sealed class ServiceCounters
{
    private Totals _totals;
    private Totals _epoch;
    private Totals _window;
    private TimeSpan _epochDiskTime;

    /// <summary>References to blocks.</summary>
    public long References => _totals.References;

    /// <summary>References that need no disk access: read hits, except the first hit of a prefetched block, and overwrites of dirty blocks.</summary>
    public long Absorbed => _totals.Absorbed;

    /// <summary>Time in which a disk worked for the service.</summary>
    public TimeSpan DiskTime { get; set; }

    public long BlocksRead { get; set; }

    public long BlocksWritten { get; set; }

    public long Syncs { get; set; }

    public long EpochReferences => References - _epoch.References;

    /// <summary>The number of references that were not absorbed and continued a sequence, divided by all references.</summary>
    public double EpochSequential => (double)(_totals.Sequential - _epoch.Sequential) / Math.Max(1, EpochReferences);

    /// <summary>
    /// The disk time since the epoch began, divided by the estimated time of the references that were not absorbed; null if there were too few.
    /// </summary>
    public double? EpochRatio =>
        References - Absorbed - _epoch.References + _epoch.Absorbed >= LeastMisses && _totals.Spent > _epoch.Spent && DiskTime > _epochDiskTime
            ? (DiskTime - _epochDiskTime).TotalSeconds / (_totals.Spent - _epoch.Spent)
            : null;

    /// <summary>The mean time of a cache hit since the epoch began, for each block; null if there were too few hits.</summary>
    public TimeSpan? EpochHitTime => _totals.Hits - _epoch.Hits >= LeastMisses ? (_totals.HitTime - _epoch.HitTime) / (_totals.Hits - _epoch.Hits) : null;

    /// <summary>The number of references since the present half of the epoch began.</summary>
    public long WindowReferences => References - _window.References;

    private const int LeastMisses = 20;

    /// <summary>Counts a reference to a block.</summary>
    /// <param name="absorbed">Whether it needed no disk access.</param>
    /// <param name="sequential">Whether it continued a sequence.</param>
    /// <param name="cost">The estimated disk time without a cache, at the largest size of an access.</param>
    /// <param name="spent">The same at the service's size of an access.</param>
    public void Count(bool absorbed, bool sequential, double cost, double spent)
    {
        _totals.References++;
        if (absorbed)
        {
            _totals.Absorbed++;
            return;
        }

        _totals.Sequential += sequential ? 1 : 0;
        _totals.Missed += cost;
        _totals.MissedSquares += cost * cost;
        _totals.Spent += spent;
    }

    /// <summary>Counts the estimated disk time of a request that no cache saves.</summary>
    public void Spend(double cost)
    {
        _totals.Missed += cost;
        _totals.MissedSquares += cost * cost;
        _totals.Spent += cost;
    }

    /// <summary>Counts a request that took the time of a cache hit.</summary>
    public void Hit(TimeSpan took, int blocks)
    {
        _totals.HitTime += took;
        _totals.Hits += blocks;
    }

    /// <summary>
    /// The mean estimated disk time of a reference since the epoch began (<paramref name="whole"/>) or its present half, and the standard error of that mean.
    /// </summary>
    public (double Mean, double Error) Missed(bool whole)
    {
        var since = whole ? _epoch : _window;
        var references = Math.Max(1, References - since.References);
        return ((_totals.Missed - since.Missed) / references, Math.Sqrt(Math.Max(0, _totals.MissedSquares - since.MissedSquares)) / references);
    }

    public void BeginEpoch()
    {
        (_epoch, _epochDiskTime) = (_totals, DiskTime);
        BeginWindow();
    }

    public void BeginWindow() => _window = _totals;

    private struct Totals
    {
        public long References;
        public long Absorbed;
        public long Sequential;
        public double Missed;
        public double MissedSquares;
        public double Spent;
        public TimeSpan HitTime;
        public long Hits;
    }
}
