namespace Stout.Experiments.Model.Stores;

/// <summary>
/// One store partition of the model. Requests are given in the order in which they come, and what will become of one is known at once,
/// since nothing that comes later changes it: so a request costs one event.
/// </summary>
internal interface IStoreModel
{
    /// <summary>Says what becomes of a request that reaches the store now.</summary>
    /// <param name="arrival">When it comes; never before an earlier call's.</param>
    /// <param name="operations">How many keys it writes.</param>
    /// <param name="connection">The connection that it comes by: each lane has its own, numbered from 0.</param>
    StoreAnswer Take(TimeSpan arrival, int operations, int connection);
}

/// <summary>The store's answer to a request.</summary>
/// <param name="At">When the store is done with it.</param>
/// <param name="RetryAfter">Null if it is committed; otherwise it is refused for overload, and the store asks for this pause.</param>
internal readonly record struct StoreAnswer(TimeSpan At, TimeSpan? RetryAfter = null);
