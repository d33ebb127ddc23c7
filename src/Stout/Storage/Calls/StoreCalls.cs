using Polly;
using Polly.CircuitBreaker;
using Polly.Timeout;

namespace Stout.Storage;

/// <summary>
/// Makes a proxy's calls to one store partition over a network, with a time limit, error classification and a circuit breaker. Each partition has its
/// own instance, so that a failing partition does not affect the others.
/// </summary>
public sealed class StoreCalls
{
    private readonly ResiliencePipeline _pipeline;
    private readonly Func<Exception, StoreException> _classify;

    /// <summary>Creates an instance with these limits.</summary>
    /// <param name="options">The limits. Later changes of the object have no effect.</param>
    /// <param name="classify">Classifies an exception of the store's client. The function must return <see cref="StoreErrorKind.Unknown"/> for any error
    /// after which the call may have been applied. Exceptions of cancelled and timed-out calls are not passed to it.</param>
    /// <param name="timeProvider">Default: the system's clock.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public StoreCalls(StoreCallOptions options, Func<Exception, StoreException> classify, TimeProvider? timeProvider = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(classify);
        options.Validate();
        _classify = classify;
        _pipeline = new ResiliencePipelineBuilder { TimeProvider = timeProvider ?? TimeProvider.System }
            .AddCircuitBreaker(new CircuitBreakerStrategyOptions
            {
                MinimumThroughput = options.BreakerMinCalls,
                FailureRatio = options.BreakerFailureShare,
                SamplingDuration = options.BreakerWindow,
                BreakDuration = options.BreakerPause,
                ShouldHandle = static call => ValueTask.FromResult(HasNoAnswer(call.Outcome.Exception)),
            })
            .AddTimeout(options.Timeout)
            .Build();
    }

    /// <summary>Makes one call.</summary>
    /// <param name="call">The call. It must end soon after its token fires.</param>
    /// <param name="state">Passed to the call, to avoid a closure.</param>
    /// <param name="cancellationToken">Ends the call; its outcome is then unknown.</param>
    /// <exception cref="StoreException">The result of <c>classify</c> for the call's exception; a <see cref="StoreException"/> stays as it is. <see
    /// cref="StoreErrorKind.Unknown"/> at the time limit. <see cref="StoreErrorKind.Unreachable"/>, with nothing sent, while the breaker is
    /// open.</exception>
    /// <exception cref="OperationCanceledException">The caller has cancelled the call.</exception>
    /// <exception cref="OutOfMemoryException">The answer did not fit into this process's memory. The store is not at fault.</exception>
    public async ValueTask<TResult> RunAsync<TState, TResult>(
        Func<TState, CancellationToken, ValueTask<TResult>> call, TState state, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(call);
        try
        {
            return await _pipeline
                .ExecuteAsync(static (x, token) => x.Calls.ClassifiedAsync(x.Call, x.State, token), (Calls: this, Call: call, State: state), cancellationToken)
                .ConfigureAwait(false);
        }
        catch (TimeoutRejectedException timeout)
        {
            throw new StoreException(StoreErrorKind.Unknown, "The store did not answer within the time limit.", timeout);
        }
        catch (BrokenCircuitException broken)
        {
            throw new StoreException(StoreErrorKind.Unreachable, "The store has not answered lately and is left alone for a moment.", broken)
            {
                RetryAfter = broken.RetryAfter,
            };
        }
    }

    private static bool HasNoAnswer(Exception? error) =>
        error is TimeoutRejectedException or StoreException { Kind: StoreErrorKind.Unreachable or StoreErrorKind.Unknown };

    private async ValueTask<TResult> ClassifiedAsync<TState, TResult>(
        Func<TState, CancellationToken, ValueTask<TResult>> call, TState state, CancellationToken token)
    {
        try
        {
            return await call(state, token).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not (StoreException or OutOfMemoryException))
        {
            // Clients wrap a cancellation in exceptions of their own. A fired token tells that the caller or the time limit has ended the call.
            if (token.IsCancellationRequested)
                throw new OperationCanceledException("The call was given up.", error, token);
            throw _classify(error);
        }
    }
}
