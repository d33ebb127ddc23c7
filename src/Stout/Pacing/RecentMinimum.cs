namespace Stout.Pacing;

/// <summary>
/// The lowest latency of a span of time, corrected for size: the lowest of latency − slope × size. Kept per eighth of the span, so
/// that a sample is forgotten after one span, give or take an eighth, in constant memory; and kept uncorrected, since the slope is
/// learned all the while.
/// </summary>
internal sealed class RecentMinimum(double spanMilliseconds)
{
    private const int Slots = 8;

    private static readonly (double Latency, double Size) Nothing = (double.PositiveInfinity, 0);

    private readonly (double Latency, double Size)[] _slots = [.. Enumerable.Repeat(Nothing, Slots)];
    private double _slotStartedAt = double.NegativeInfinity;
    private int _current;

    /// <summary>The lowest latency uncorrected, and the size it came with; infinity if nothing has been seen for a span.</summary>
    public (double Latency, double Size) Lowest
    {
        get
        {
            var lowest = Nothing;
            foreach (var slot in _slots)
            {
                if (slot.Latency < lowest.Latency)
                    lowest = slot;
            }

            return lowest;
        }
    }

    public void Add(double now, double latency, double size, double slope)
    {
        Forget(now);
        ref var slot = ref _slots[_current];
        if (latency - (slope * size) < slot.Latency - (slope * slot.Size))
            slot = (latency, size);
    }

    public void Forget(double now)
    {
        var passed = (now - _slotStartedAt) / (spanMilliseconds / Slots);
        if (!(passed > 1))
            return;
        for (var i = 0; i < Math.Min(passed, Slots) - 0.5; i++)
        {
            _current = (_current + 1) % Slots;
            _slots[_current] = Nothing;
        }

        _slotStartedAt = now;
    }

    public void Clear() => _slots.AsSpan().Fill(Nothing);

    /// <summary>What a request of <paramref name="size"/> takes at least; infinity if nothing has been seen for a span.</summary>
    public double At(double size, double slope)
    {
        var lowest = double.PositiveInfinity;
        foreach (var (latency, seen) in _slots)
        {
            // Not Math.Min: it looks for NaN, and this runs some sixty times per answer.
            var corrected = latency + (slope * (size - seen));
            if (corrected < lowest)
                lowest = corrected;
        }

        return lowest;
    }
}
