namespace Stout.Pacing;

/// <summary>
/// An exponentially weighted moving average. It starts with its first sample: started at zero, one that is reset at every
/// acceleration would take the few decisions it lives for mostly to forget that zero.
/// </summary>
internal struct Ewma(double factor)
{
    private bool _hasSample;

    public double Value { get; private set; }

    public void Add(double sample)
    {
        Value = _hasSample ? Value + (factor * (sample - Value)) : sample;
        _hasSample = true;
    }

    /// <summary>Adds a sample, of which no more counts than a multiple of the average so far; returns what counted.</summary>
    public double AddBounded(double sample, double mostOverAverage)
    {
        var bounded = Value > 0 ? Math.Min(sample, mostOverAverage * Value) : sample;
        Add(bounded);
        return bounded;
    }

    /// <summary>Lowers the average to a bound that it must not exceed.</summary>
    public void Bound(double most) => Value = Math.Min(Value, most);

    public void Reset()
    {
        Value = 0;
        _hasSample = false;
    }
}
