namespace Stout.Pacing;

/// <summary>
/// The shortest interval at which the store keeps up, found by trial: now and then all lanes send back to back at the same time, each as soon as
/// it is answered. The store is then just full, and what a request takes is the interval that each lane has: the critical one. Nobody needs
/// much more, whatever looks like a queue; nor can anything pile up meanwhile, for each lane waits for its answer. All lanes must take part: one
/// alone would take the others' restraint for a quick store.
/// </summary>
internal sealed class CriticalInterval
{
    // The best interval is at most 1.7 times the critical one where many lanes share a server, and hardly matters between 1 and 2 where few do.
    private const double Worthwhile = 1.75;

    // Lanes that send a request for each answer anyhow need no trial.
    private const double Paced = 1.5;

    // The queue of all takes a few rounds to build up; it is measured in the second half.
    private const double Steps = 6;
    private const int LeastAnswers = 2;
    private const int MostAnswers = 31;

    // Lengths and periods are powers of two of milliseconds on the clock, so that lanes which nearly agree try together.
    private const double Tolerance = 1.5;

    // A trial costs those who would do better with a longer interval; so, once the store is known, it is a 256th of the time.
    private const int FirstTrials = 2;
    private const double FirstPeriod = 2_048;
    private const double FirstLengths = 4;
    private const double Period = 16_384;
    private const double Lengths = 256;

    private const double FirstLength = 64;
    private const double Never = double.MinValue;

    // In a trial that some lanes missed requests took less: the highest of the last few counts.
    private const int Remembered = 3;

    private readonly RecentSamples _paced = new(5);
    private readonly RecentSamples _tried = new(MostAnswers);
    private readonly double[] _results = new double[Remembered];
    private double _length = FirstLength;
    private double _from = Never;
    private double _until = Never;
    private int _trials;

    private double Latency => _paced.LowerMedian;

    /// <summary>The critical interval as far as it is known, in milliseconds; infinity before the first trial.</summary>
    public double Value { get; private set; } = double.PositiveInfinity;

    /// <summary>The longest interval of use, in milliseconds: to wait for the last answer is never too long.</summary>
    public double LongestInterval => Math.Max(Worthwhile * Value, Latency);

    /// <summary>Whether the lane is to send as soon as it is answered.</summary>
    /// <param name="time">The time, in milliseconds.</param>
    public bool IsTriedAt(double time) => _from <= time && time < _until;

    /// <summary>Whether a request that left at a time met the queue of a trial, or made it.</summary>
    /// <param name="sentAt">The time, in milliseconds.</param>
    public bool Disturbed(double sentAt) => _from <= sentAt && sentAt < _until + Math.Min(Value, _until - _from);

    /// <summary>Begins a trial where it is time for one, and draws the conclusion from one that is over.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    /// <param name="interval">The lane's interval, in milliseconds.</param>
    /// <param name="mayTry">Whether the lane may try at all now.</param>
    public void Advance(double now, double interval, bool mayTry)
    {
        if (now < _until)
            return;
        Conclude();
        Fit(interval);
        if (!mayTry || interval < Paced * Latency)
            return;
        var period = _trials < FirstTrials ? Math.Max(FirstPeriod, FirstLengths * _length) : Math.Max(Period, Lengths * _length);
        var start = Math.Floor(now / period) * period;
        if (now - start < _length / 2)
            (_from, _until) = (now, start + _length);
    }

    /// <summary>Takes in an answered write.</summary>
    /// <param name="sentAt">When it left, in milliseconds.</param>
    /// <param name="latency">Its latency, in milliseconds.</param>
    public void Add(double sentAt, double latency)
    {
        if (!Disturbed(sentAt))
            _paced.Add(latency);
        else if ((_from + _until) / 2 <= sentAt && sentAt < _until)
            _tried.Add(latency);
    }

    /// <summary>The store is another one.</summary>
    public void Forget()
    {
        _paced.Forget();
        _tried.Forget();
        Array.Clear(_results);
        (_from, _until, _length) = (Never, Never, FirstLength);
        (_trials, Value) = (0, double.PositiveInfinity);
    }

    private void Conclude()
    {
        if (_tried.Count >= LeastAnswers)
        {
            _results[_trials++ % Remembered] = _tried.UpperMedian;
            Value = _results.Max();
        }

        _tried.Forget();
    }

    private void Fit(double interval)
    {
        var wanted = Steps * Math.Max(interval, 2 * Latency);
        if (wanted > Tolerance * _length || wanted < _length / Tolerance)
            _length = Math.Pow(2, Math.Round(Math.Log2(wanted)));
    }
}
