namespace Stout.Pacing;

/// <summary>
/// Whether a lane is to send as soon as it is answered, because its usual requests are so full (<see cref="FullBatch"/>) that a longer interval saves the store
/// next to nothing, and the store is full (<see cref="FullStore"/>). An interval can only be wrong there: the right one is what a request takes, which changes
/// from one to the next, and lanes that have learned different ones crowd each other out. With the number in flight that the store works on for it, the lane
/// finds it by itself, as it does in a trial of the critical interval.
/// </summary>
internal struct FullRequests()
{
    // The fixed part of such a request is a thirteenth of what it takes. Many lanes that share a server never gather so much, and gain by their intervals.
    private const double Share = 0.6;

    // Without an interval fewer keys gather.
    private const double StillShare = 0.3;

    // Who has not seen the store empty yet sees it only in quiet moments once all send back to back. By now there has been one at least.
    private const double LearningTime = 4_000;

    // With several in flight there is more to be wrong about: a backlog of the way down, and how many the store works on.
    private const double LearningTimeOfSeveral = 6_000;

    // Two in flight that leave together are one request that pays twice: what arrives meanwhile fills the second.
    private const double Spacing = 0.7;

    private const double MostOverMean = 4;

    private Ewma _keys = new(1.0 / 16);
    private Ewma _latency = new(1.0 / 16);

    /// <summary>Whether the lane is to send as soon as it is answered.</summary>
    public bool AreUsual { get; private set; }

    /// <summary>How many requests it is to have in flight then.</summary>
    public int InFlight { get; private set; } = 1;

    /// <summary>What is to lie between two batches at least, in milliseconds: nothing with one in flight.</summary>
    public readonly double LeastInterval => InFlight > 1 ? Spacing * _latency.Value / InFlight : 0;

    /// <summary>Takes in an answered write.</summary>
    /// <param name="keys">How many keys it carried.</param>
    /// <param name="latency">What it took, in milliseconds.</param>
    /// <param name="full">The keys of a full request.</param>
    /// <param name="knownFor">For how long the store is known, in milliseconds.</param>
    /// <param name="mostInFlight">The most requests that a full store works on for the lane; infinity where the store is not full.</param>
    /// <param name="bound">The most that the lane may have in flight.</param>
    public void Add(int keys, double latency, int full, double knownFor, double mostInFlight, int bound)
    {
        _latency.AddBounded(latency, MostOverMean);
        _keys.AddBounded(keys, MostOverMean);
        AreUsual = knownFor >= (mostInFlight > 1 ? LearningTimeOfSeveral : LearningTime) && double.IsFinite(mostInFlight) && _keys.Value >= (AreUsual ? StillShare : Share) * full;
        if (AreUsual)
            InFlight = (int)Math.Clamp(mostInFlight, 1, bound);
    }

    /// <summary>The store is another one: it is learned anew.</summary>
    public void Forget() => (AreUsual, InFlight) = (false, 1);
}
