namespace Stout.Pacing;

/// <summary>
/// Tells a slower store from a queue. All lanes of a store meet the same queue and slow down together, so a queue of theirs drains; if
/// batches leave much more seldom than when the delay appeared, and it stays as it was for longer than the smallest drain would take to
/// show, there is no such queue, and the store is what has changed.
/// </summary>
internal struct Elasticity()
{
    // So much more seldom that chance does not make it of an unsteady application.
    private const double SlowedDown = 6;

    // In ten times its own length a queue falls below this share of itself, if but a sixtieth of the store's time is left to drain it.
    private const double Lengths = 10;
    private const double Fallen = 0.85;

    // Longer than the averages behind queue and spacing remember.
    private const int Answers = 8;

    private double _spacing;
    private double _queue;
    private double _since = double.NaN;
    private int _answers;

    /// <summary>Takes in one answer; returns whether the delay is no queue.</summary>
    /// <param name="now">When the answer came.</param>
    /// <param name="queue">The mean queueing delay.</param>
    /// <param name="target">The one aimed at.</param>
    /// <param name="spacing">The mean time between batches.</param>
    public bool IsMissing(double now, double queue, double target, double spacing)
    {
        if (queue < target || _spacing == 0)
        {
            _spacing = spacing;
            _since = double.NaN;
        }
        else if (spacing < SlowedDown * _spacing)
        {
            _since = double.NaN;
        }
        else if (double.IsNaN(_since) || queue < Fallen * _queue)
        {
            (_since, _queue, _answers) = (now, queue, 0);
        }
        else if (++_answers >= Answers && now - _since > Lengths * _queue)
        {
            this = new Elasticity();
            return true;
        }

        return false;
    }
}
