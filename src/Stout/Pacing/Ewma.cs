namespace Stout.Pacing;

/// <summary>
/// An exponentially weighted moving average whose first value is the first sample. It is reset at every acceleration; started at zero, it would be
/// dominated by that zero for most of its life.
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
