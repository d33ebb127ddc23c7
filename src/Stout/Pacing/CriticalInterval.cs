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

    // A lane whose interval is no longer than the critical one finds its requests as long as in a trial. But where twice as many under way only wait longer,
    // the store is full, and by more than the lane's own requests if they take so much more than the least. (Before a shared flush they take twice the least
    // and more by themselves, for who comes last is answered soonest.)
    private const double OverLowest = 2.2;

    // When requests take so much less than before the trials, the store has become faster, or its load less.
    private const double StillBusy = 0.4;

    // Where a batch carries hardly a key there is nothing to collect, and nothing that a shortest interval would be for.
    private const double LeastKeys = 1.7;

    // Once the first seconds are over a trial costs more than it tells where batches are so small: whoever measures light loads notices it. But what trials have shown
    // bounds the interval for as long as it is believed, and lanes come and go: so it is looked at again each fourth time, by all whose requests carry something to collect.
    private const double LeastKeysLater = 3;
    private const int Seldom = 4;

    // As long as the critical interval is not known, about so many latencies stand for it: all lanes have one latency, whatever their intervals are.
    private const double LatenciesForInterval = 4;

    // A lane with several requests in flight is not held back by its interval, and would be by a trial: unless keys are so small a part of its requests
    // that they hardly grow meanwhile, and there is something to gain. It has nothing to gain where its interval is as short as can be.
    private const double Paced = 0.6;
    private const double MostKeyTime = 0.05;
    private const double OverLeastInterval = 2;

    // The queue of all takes a few rounds to build up; it is measured in the second half.
    private const double Steps = 6;
    private const double Latencies = 4.5;
    private const double Longest = 1_024;
    private const int LeastAnswers = 2;

    // Whoever joins with its next batch joins with a full one; who joined with what there is would begin with a round of small ones, which take less. Not
    // later than after so much of the trial.
    private const double JoinsBy = 0.33;

    private const double FirstLength = 64;

    // A trial costs those who do better with a longer interval; so, once the store is known, it is a 64th of the time at most.
    private const double Period = 16_384;
    private const double Lengths = 64;

    // At first all try often, whatever their trials have shown: who went on alone would take the others' restraint for a quick store.
    private const double FirstTime = 10_000;
    private const double FirstPeriod = 2_048;
    private const double FirstLengths = 4;

    // A store that has become another one still has the same lanes: one trial that counts, if it can begin so soon, shows what it keeps up with now. As many as at first
    // would disturb all lanes for as long. (A lane whose trial did not count tries on alone meanwhile.)
    // And shorter, for its length follows from an interval that the queue which was none has made far too long.
    private const double FirstTimeAgain = 3_000;
    private const double StepsAgain = 2;

    // Longer than a trial, for it has to be the same before and after.
    private const double RateFactor = 1.0 / 64;

    // One pause of the store may not make the next trial a long one.
    private const double MostOverMean = 4;

    private const double Never = double.MinValue;

    private readonly TrialResults _results = new();
    private readonly LastFive _latencies = new();
    private Ewma _latency = new(1.0 / 16);
    private Ewma _keys = new(RateFactor);
    private Ewma _passed = new(RateFactor);
    private double _since = double.MaxValue;
    private double _length = FirstLength;
    private double _from = Never;
    private double _until = Never;
    private bool _hasJoined;
    private bool _isAnotherStore;
    private TrialWindow _window = new(mostInFlight);
    private TrialSums _sums;

    /// <summary>The critical interval as far as it is known, in milliseconds; infinity before the first trial.</summary>
    public double Value => _results.Typical.Interval;

    /// <summary>Whether it is known.</summary>
    public bool IsKnown => Value < double.PositiveInfinity;

    /// <summary>How many requests a lane has under way in a trial.</summary>
    public int Window => _window.Size;

    /// <summary>How many each lane had under way when the critical interval was found: the store keeps up with that.</summary>
    public int InFlight => _window.Proven;

    /// <summary>The longest interval of use, in milliseconds.</summary>
    public double LongestInterval => Worthwhile * Value;

    /// <summary>
    /// Whether others fill the store: requests of trials had to wait for theirs, the store is still as busy as then, and the lane's batches carry what is worth
    /// collecting.
    /// </summary>
    public bool IsShared => Latency > StillBusy * _results.Typical.Paced && IsFullOfOthers && KeysIn(Value) >= LeastKeys;

    /// <summary>
    /// The shortest interval of use, in milliseconds; 0 where it is not known, or not others that fill the store. Who takes less leaves the others no way
    /// but to take more.
    /// </summary>
    public double ShortestInterval => IsShared ? Value : 0;

    private bool IsFullOfOthers
    {
        get
        {
            var trial = _results.Typical;
            return (trial.Latency > OverPaced * _latency.Value && trial.Latency > TrialSums.OverIdle * trial.Idle) || (_window.IsFull && trial.Latency > OverLowest * trial.Lowest);
        }
    }

    // What the lane's requests take when nobody tries, in milliseconds: in the mean, but no longer than any of the last five, for where few answers come the mean
    // takes seconds to fall.
    private double Latency => Math.Min(_latency.Value, _latencies.Highest);

    // What a trial leaves behind, in milliseconds of the store's time.
    private double Queue => _window.Size * Value;

    // In keys per millisecond.
    private double Rate => _passed.Value > 0 ? _keys.Value / _passed.Value : 0;

    /// <summary>Whether a trial is under way.</summary>
    /// <param name="time">The time, in milliseconds.</param>
    public bool IsTriedAt(double time) => _from <= time && time < _until;

    /// <summary>Whether the lane is to send as soon as it is answered.</summary>
    /// <param name="time">The time, in milliseconds.</param>
    public bool IsBackToBackAt(double time) => IsTriedAt(time) && (_hasJoined || time > _from + (JoinsBy * _length));

    /// <summary>A batch leaves.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    public void Depart(double now) => _hasJoined = IsTriedAt(now);

    /// <summary>Whether a request that left at a time met the queue of a trial, or made it.</summary>
    /// <param name="sentAt">The time, in milliseconds.</param>
    public bool Disturbed(double sentAt) => _from <= sentAt && sentAt < _until + Math.Min(Queue, _until - _from);

    /// <summary>Draws the conclusion from a trial that is over, and begins the next one where it is time for it.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    /// <param name="interval">The lane's interval, in milliseconds.</param>
    /// <param name="leastInterval">The shortest that it could have, in milliseconds.</param>
    /// <param name="perKey">What one more key in a request takes, in milliseconds.</param>
    /// <param name="mayTry">Whether the lane may try at all now.</param>
    /// <param name="isUrgent">Whether it has reason to try before it is time, for the store has fallen behind.</param>
    public void Advance(double now, double interval, double leastInterval, double perKey, bool mayTry, bool isUrgent = false)
    {
        _since = Math.Min(_since, now);
        if (now < _until)
            return;
        Conclude();
        Fit(interval);
        var isSoon = _isAnotherStore ? !IsKnown && now < _since + FirstTimeAgain : now < _since + FirstTime || (isUrgent && _from < now - Period);
        if (!mayTry || !IsPaced(interval, leastInterval, perKey))
            return;
        var period = isSoon ? Math.Max(FirstPeriod, FirstLengths * _length) : Math.Max(Period, Lengths * _length);
        if (KeysIn(IsKnown ? Value : Math.Max(interval, LatenciesForInterval * _latency.Value)) < (isSoon ? LeastKeys : LeastKeysLater))
        {
            // The latency, for where the lanes have become many more, none of them gathers in the old interval what it does while it waits for the others.
            if (!IsKnown || KeysIn(Math.Max(Value, _latency.Value)) < LeastKeys)
                return;
            period *= Seldom;
        }

        var start = Math.Floor(now / period) * period;
        if (_from < start && now - start < _length / 2)
            (_from, _until, _hasJoined) = (now, start + _length, false);
    }

    /// <summary>Takes in an answered write.</summary>
    /// <param name="sentAt">When it left, in milliseconds.</param>
    /// <param name="latency">What it took, in milliseconds.</param>
    /// <param name="passed">The time that had passed since the batch before it, in milliseconds.</param>
    /// <param name="keys">How many keys it carried.</param>
    public void Add(double sentAt, double latency, double passed, double keys)
    {
        _keys.Add(keys);
        _passed.Add(passed);
        if (Disturbed(sentAt))
            return;
        _latency.AddBounded(latency, MostOverMean);
        _latencies.Add(latency);
    }

    /// <summary>Whether a request that left at a time shows what the trial is for: then <see cref="Measure"/> is to have its answer too.</summary>
    /// <param name="sentAt">The time, in milliseconds.</param>
    public bool IsMeasuredAt(double sentAt) => (_from + _until) / 2 <= sentAt && sentAt < _until;

    /// <summary>Takes in what an answer shows of the trial.</summary>
    public void Measure(in TrialAnswer answer) => _sums.Add(answer);

    /// <summary>The store is another one. The application is not: what it asks for is as it was.</summary>
    public void Forget()
    {
        _latency.Reset();
        _latencies.Forget();
        _results.Forget();
        (_since, _length, _from, _until) = (double.MaxValue, FirstLength, Never, Never);
        _isAnotherStore = true;
        (_window, _sums) = (new TrialWindow(mostInFlight), default);
    }

    // Whether the interval is what holds the lane back, so that a trial does it no harm.
    private bool IsPaced(double interval, double leastInterval, double perKey)
        => _window.Size * interval >= Paced * _latency.Value
            || (perKey * Rate <= MostKeyTime * _window.Size && interval >= OverLeastInterval * leastInterval);

    private double KeysIn(double interval) => Rate * interval;

    private void Conclude()
    {
        if (_sums.Answers >= LeastAnswers)
        {
            var (inFlight, before) = (_window.Size, _window.Proven);
            if (_window.Take(_sums.MeanLatency, _latency.Value, _sums.Answers, mayGrow: !_sums.AreFullOfKeys))
            {
                if (inFlight != before)
                    _results.BeginAnew();
                // Who has sent nothing but in the trial since the store became another one knows no better than that it takes no longer when nobody tries.
                _results.Add(_sums.Result(inFlight, Latency > 0 ? Latency : _sums.MeanLatency));
            }
        }

        _sums = default;
    }

    // By what all lanes have in common, as soon as it is known.
    private void Fit(double interval)
        => _length = ClockLength.Fit(_length, Math.Min(Longest, (_isAnotherStore && !IsKnown ? StepsAgain : Steps) * Math.Max(IsKnown ? Queue : interval, Latencies * _latency.Value)));
}
