using Polly;
using Polly.CircuitBreaker;
using Polly.Timeout;

namespace Stout.Storage;

/// <summary>
/// Makes a proxy's calls to one store partition over a network: ends them at the time limit, says what their failures mean, and leaves
/// alone a store that does not answer. One for each store partition, so that a partition that is down does not take the others along.
/// </summary>
public sealed class StoreCalls
{
    private readonly ResiliencePipeline _pipeline;
    private readonly Func<Exception, StoreException> _classify;

    /// <summary>Makes calls with these limits.</summary>
    /// <param name="options">The limits. Later changes have no effect.</param>
    /// <param name="classify">
    /// What an exception of the store's client means. Whatever is not certain is <see cref="StoreErrorKind.Unknown"/>. It is not asked
    /// about calls that were cancelled or ended at the time limit.
    /// </param>
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
    /// <param name="call">The call. It has to end soon after its token fires.</param>
    /// <param name="state">Passed to the call, so that it need not capture anything.</param>
    /// <param name="cancellationToken">Ends the call; its outcome is then unknown.</param>
    /// <exception cref="StoreException">
    /// What <c>classify</c> made of the call's exception (an exception that is a <see cref="StoreException"/> already stays as it is);
    /// <see cref="StoreErrorKind.Unknown"/> at the time limit; <see cref="StoreErrorKind.Unreachable"/>, with nothing sent, while the
    /// breaker is open.
    /// </exception>
    /// <exception cref="OperationCanceledException">The caller has cancelled it.</exception>
    /// <exception cref="OutOfMemoryException">The answer did not fit into this process's memory, which says nothing of the store.</exception>
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
            // Clients wrap a cancellation in exceptions of their own; the pipeline knows whose token it was.
            if (token.IsCancellationRequested)
                throw new OperationCanceledException("The call was given up.", error, token);
            throw _classify(error);
        }
    }
}
