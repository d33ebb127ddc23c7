namespace Stout.Pacing;

/// <summary>
/// How many keys one request is to carry where many wait. A larger one saves the store next to nothing once keys are most of it, and all its callers
/// wait for the last key. Worse, where answers vary by multiples, what gathers while one is late makes a request that takes as much longer, during which more
/// gathers: one in flight at a time, such batches grow for seconds. In several requests luck and mischance cancel. But where even full ones don't
/// keep up, and the backlog grows, so do they.
/// </summary>
/// <param name="fixedPart">What a request of one key takes, in milliseconds; above 0.</param>
/// <param name="perKey">What one more key takes, in milliseconds; 0 where nothing shows.</param>
internal readonly struct FullBatch(double fixedPart, double perKey)
{
    // What is saved by more keys than these is a twentieth of the store's time at most.
    private const double FixedParts = 20;

    // A backlog of several full requests leaves in so many.
    private const int Parts = 4;

    /// <summary>The keys of a full request; as many as there are where they seem to cost nothing.</summary>
    public int Keys { get; } = (int)Math.Clamp(FixedParts * fixedPart / perKey, 1, int.MaxValue);

    /// <summary>The most keys in each request of a batch.</summary>
    /// <param name="waiting">How many keys are to leave.</param>
    public int KeysOf(int waiting) => Math.Max(Keys, waiting / Parts);

    /// <summary>
    /// The same where a lane's requests leave with the answers to those before: all that waits, in as many. A part of it would leave a backlog that stands there, for
    /// each round brings what it takes away.
    /// </summary>
    /// <param name="waiting">How many keys are to leave.</param>
    /// <param name="inFlight">How many requests the lane has in flight.</param>
    public int KeysOf(int waiting, int inFlight) => Math.Max(Keys, ((waiting - 1) / inFlight) + 1);
}
