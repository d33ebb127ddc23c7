namespace Stout.Pacing;

/// <summary>
/// The shortest interval at which the store keeps up, found by trial: now and then all lanes send back to back at the same time, each as soon as
/// it is answered. The store is then as full as they can make it, and the time from one batch to the next is the interval that each lane comes to
/// by itself: the critical one. Nobody needs much more, whatever looks like a queue; nor can anything pile up meanwhile, for each lane waits
/// for its answers, of one request or of as many as the store bears (<see cref="TrialWindow"/>). All lanes must take part: one alone would take
/// the others' restraint for a quick store. Where the others held up its requests, the lane keeps no shorter interval either: lanes that learn apart
/// what an idle store takes would come to intervals that differ by multiples.
/// </summary>
/// <param name="mostInFlight">The most requests that a lane may have under way.</param>
internal sealed class CriticalInterval(int mostInFlight)
{
    // The best interval is at most 1.7 times the critical one where many lanes share a server, and hardly matters between 1 and 2 where few do.
    private const double Worthwhile = 1.75;

    // Where the others' requests are in the way of its own, the lane's take this much longer in a trial than at its interval, and than on the idle store.
    // (A log that waits for company makes them long too, but at any interval.)
    private const double OverPaced = 1.2;
    private const double OverIdle = 2;

    // When requests take so much less than before the last trial, the store has become faster, or its load less.
    private const double StillBusy = 0.4;

    // A lane with several requests in flight is not held back by its interval, and would be by a trial.
    private const double Paced = 0.6;

    // Nor is one that has hardly anything to send. Fewer keys will do at first, when there is everything to learn, and for who has tried before, so that
    // those who are nearly alike do the same.
    private const double LeastKeys = 4;
    private const double LeastKeysAtFirst = 2;

    // The queue of all takes a few rounds to build up; it is measured in the second half.
    private const double Steps = 6;
    private const double Latencies = 3;
    private const double Longest = 512;
    private const int LeastAnswers = 2;

    private const double FirstLength = 64;

    // A trial costs those who do better with a longer interval; so, once the store is known, it is a 64th of the time at most.
    private const double Period = 16_384;
    private const double Lengths = 64;

    // At first all try often, whatever their trials have shown: who went on alone would take the others' restraint for a quick store.
    private const double FirstTime = 10_000;
    private const double FirstPeriod = 2_048;
    private const double FirstLengths = 4;

    // In a trial that some lanes missed batches follow faster, in one that a pause fell into more slowly: the one in the middle of the last few
    // counts.
    private const int Remembered = 3;

    // One pause of the store may not make the next trial a long one.
    private const double MostOverMean = 4;

    private const double Never = double.MinValue;

    private readonly double[] _results = new double[Remembered];
    private readonly bool[] _areShared = new bool[Remembered];
    private Ewma _latency = new(1.0 / 16);
    private double _since = double.MaxValue;
    private double _length = FirstLength;
    private double _from = Never;
    private double _until = Never;
    private TrialWindow _window = new(mostInFlight);
    private TrialSums _sums;
    private int _trials;
    private bool _isShared;
    private double _latencyThen;

    /// <summary>The critical interval as far as it is known, in milliseconds; infinity before the first trial.</summary>
    public double Value { get; private set; } = double.PositiveInfinity;

    /// <summary>How many requests a lane has under way in a trial.</summary>
    public int Window => _window.Size;

    /// <summary>How many each lane had under way when the critical interval was found: the store keeps up with that.</summary>
    public int InFlight => _window.Proven;

    /// <summary>The longest interval of use, in milliseconds.</summary>
    public double LongestInterval => Worthwhile * Value;

    /// <summary>Whether others fill the store: most requests of trials had to wait for theirs, and the store is still as busy as then.</summary>
    public bool IsShared => _isShared && _latency.Value > StillBusy * _latencyThen;

    /// <summary>
    /// The shortest interval of use, in milliseconds; 0 where it is not known, or not others that fill the store. Who takes less leaves the others no way
    /// but to take more.
    /// </summary>
    public double ShortestInterval => IsShared ? Value : 0;

    // What a trial leaves behind, in milliseconds of the store's time.
    private double Queue => _window.Size * Value;

    private bool IsKnown => Value < double.PositiveInfinity;

    /// <summary>Whether the lane is to send as soon as it is answered.</summary>
    /// <param name="time">The time, in milliseconds.</param>
    public bool IsTriedAt(double time) => _from <= time && time < _until;

    /// <summary>Whether a request that left at a time met the queue of a trial, or made it.</summary>
    /// <param name="sentAt">The time, in milliseconds.</param>
    public bool Disturbed(double sentAt) => _from <= sentAt && sentAt < _until + Math.Min(Queue, _until - _from);

    /// <summary>Draws the conclusion from a trial that is over, and begins the next one where it is time for it.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    /// <param name="interval">The lane's interval, in milliseconds.</param>
    /// <param name="keys">The mean size of its batches.</param>
    /// <param name="mayTry">Whether the lane may try at all now.</param>
    public void Advance(double now, double interval, double keys, bool mayTry)
    {
        _since = Math.Min(_since, now);
        if (now < _until)
            return;
        Conclude();
        Fit(interval);
        var isFirst = now < _since + FirstTime;
        if (!mayTry || _window.Size * interval < Paced * _latency.Value || keys < (IsKnown || isFirst ? LeastKeysAtFirst : LeastKeys))
            return;
        var period = isFirst ? Math.Max(FirstPeriod, FirstLengths * _length) : Math.Max(Period, Lengths * _length);
        var start = Math.Floor(now / period) * period;
        if (_from < start && now - start < _length / 2)
            (_from, _until) = (now, start + _length);
    }

    /// <summary>Takes in an answered write.</summary>
    /// <param name="sentAt">When it left, in milliseconds.</param>
    /// <param name="latency">Its latency, in milliseconds.</param>
    /// <param name="idle">What it would have taken on the idle store, in milliseconds.</param>
    /// <param name="passed">The time that had passed since the batch before it, in milliseconds.</param>
    public void Add(double sentAt, double latency, double idle, double passed)
    {
        if (!Disturbed(sentAt))
        {
            _latency.AddBounded(latency, MostOverMean);
        }
        else if ((_from + _until) / 2 <= sentAt && sentAt < _until)
        {
            _sums.Add(latency, passed, isHeldUp: latency > OverPaced * _latency.Value && latency > OverIdle * idle);
        }
    }

    /// <summary>The store is another one.</summary>
    public void Forget()
    {
        _latency.Reset();
        (_since, _length, _from, _until) = (double.MaxValue, FirstLength, Never, Never);
        (_window, _sums, _trials, Value) = (new TrialWindow(mostInFlight), default, 0, double.PositiveInfinity);
        (_isShared, _latencyThen) = (false, 0);
    }

    private void Conclude()
    {
        if (_sums.Answers >= LeastAnswers)
        {
            var (inFlight, before) = (_window.Size, _window.Proven);
            if (_window.Take(_sums.MeanLatency, _latency.Value, _sums.Answers))
                Learn(inFlight, isLikeThoseBefore: inFlight == before);
        }

        _sums = default;
    }

    private void Learn(int inFlight, bool isLikeThoseBefore)
    {
        if (!isLikeThoseBefore)
            _trials = 0;
        _latencyThen = _latency.Value;
        _areShared[_trials % Remembered] = IsMost(_sums.HeldUp, _sums.Answers);
        // Whether the lane waited for answers or for work.
        _results[_trials++ % Remembered] = Math.Max(_sums.MeanPassed, _sums.MeanLatency / inFlight);
        Span<double> results = stackalloc double[Remembered];
        results = results[..Math.Min(_trials, Remembered)];
        _results.AsSpan(0, results.Length).CopyTo(results);
        results.Sort();
        Value = results[results.Length / 2];
        _isShared = IsMost(_areShared.AsSpan(0, results.Length).Count(true), results.Length);
    }

    private static bool IsMost(int count, int all) => 2 * count > all;

    // By what all lanes have in common, as soon as it is known.
    private void Fit(double interval)
        => _length = ClockLength.Fit(_length, Math.Min(Longest, Steps * Math.Max(IsKnown ? Queue : interval, Latencies * _latency.Value)));

    // Sums over the answers of a trial's second half.
    private struct TrialSums
    {
        private double _latencies;
        private double _passed;

        public int Answers { get; private set; }

        public int HeldUp { get; private set; }

        public readonly double MeanLatency => _latencies / Answers;

        public readonly double MeanPassed => _passed / Answers;

        public void Add(double latency, double passed, bool isHeldUp)
        {
            Answers++;
            HeldUp += isHeldUp ? 1 : 0;
            _latencies += latency;
            _passed += passed;
        }
    }
}
