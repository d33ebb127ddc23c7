namespace Stout.Experiments.Workloads;

/// <summary>Times of requests that come independently of each other at the rate of a profile.</summary>
internal sealed class PoissonArrivals(LoadProfile profile, Random random)
{
    private int _step;
    private TimeSpan _last;

    public TimeSpan Next()
    {
        while (true)
        {
            var gap = -Math.Log(1 - random.NextDouble()) / profile.Steps[_step].PerSecond;
            var next = _last + TimeSpan.FromTicks((long)(gap * TimeSpan.TicksPerSecond));
            if (_step + 1 == profile.Steps.Count || next < profile.Steps[_step + 1].From)
                return _last = next;
            // A Poisson stream has no memory, so from the change of the rate on it is drawn anew at the new rate.
            _last = profile.Steps[++_step].From;
        }
    }
}
