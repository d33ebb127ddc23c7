namespace Stout.Pacing;

/// <summary>
/// An exponentially weighted moving average whose first value is the first sample. The paper's law resets it at every acceleration. An average that started
/// at 0 each time would be too low until the next reset.
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
