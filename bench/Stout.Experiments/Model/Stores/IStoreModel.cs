namespace Stout.Experiments.Model.Stores;

/// <summary>
/// One store partition of the model. Requests are passed in the order of their arrival. The answer to a request is known at once, since later requests do
/// not change it. So a request costs one event.
/// </summary>
internal interface IStoreModel
{
    /// <summary>Computes the answer to a request.</summary>
    /// <param name="arrival">The request's arrival; never before that of an earlier call.</param>
    /// <param name="operations">The number of keys that the request writes.</param>
    /// <param name="connection">The connection that the request uses: each lane has its own, numbered from 0.</param>
    StoreAnswer Take(TimeSpan arrival, int operations, int connection);
}

/// <summary>The store's answer to a request.</summary>
/// <param name="At">When the store is done with the request.</param>
/// <param name="RetryAfter">Null if the request is committed. Otherwise the store refuses it for overload, and asks for this pause.</param>
internal readonly record struct StoreAnswer(TimeSpan At, TimeSpan? RetryAfter = null);
