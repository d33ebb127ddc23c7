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

    public void Reset()
    {
        Value = 0;
        _hasSample = false;
    }
}
