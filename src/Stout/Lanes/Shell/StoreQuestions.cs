using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Lanes.Shell;

/// <summary>Sends requests to a store without a lane, for tools. Each attempt has a time limit, and is repeated after an error that may pass.</summary>
internal sealed class StoreQuestions(StoutOptions options, TimeProvider time, AnswerLimits? answers)
{
    private readonly RetryDelay _retryDelay = new(options.MinRetryDelay, options.MaxRetryDelay, Random.Shared);

    /// <summary>Reads one key.</summary>
    /// <exception cref="StoreException">The key could not be read.</exception>
    public ValueTask<ReadOutcome> ReadAsync(IStorePartition partition, KeyRead read, CancellationToken cancellationToken) => AskAsync(
        async token =>
        {
            var batch = new ReadBatch();
            batch.Add(read);
            await partition.ReadAsync(batch, token).ConfigureAwait(false);
            var outcome = batch.OutcomeOf(0);
            return outcome.Kind == ReadOutcomeKind.Read ? outcome : throw (outcome.Error ?? StoreErrors.NoAnswer());
        },
        cancellationToken);

    /// <summary>
    /// Sends a request, and repeats it after errors that may pass, for at most <see cref="StoutOptions.UnreachableTimeout"/> or <see
    /// cref="StoutOptions.AnswerWithin"/>, whichever is shorter.
    /// </summary>
    public async ValueTask<T> AskAsync<T>(Func<CancellationToken, ValueTask<T>> ask, CancellationToken cancellationToken)
    {
        using var limit = new AnswerLimit(answers, cancellationToken);
        var start = time.GetTimestamp();
        try
        {
            for (var attempt = 1; ; attempt++)
            {
                try
                {
                    return await AskOnceAsync(ask, limit.Token).ConfigureAwait(false);
                }
                catch (StoreException error) when (MayPass(error.Kind) && time.GetElapsedTime(start) < options.UnreachableTimeout)
                {
                    await Task.Delay(_retryDelay.After(attempt, error.RetryAfter), time, limit.Token).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException) when (limit.HasEnded)
        {
            throw limit.ErrorOf(new StoreException(StoreErrorKind.Unknown, AnswerLimits.Passed().Message));
        }
    }

    private async ValueTask<T> AskOnceAsync<T>(Func<CancellationToken, ValueTask<T>> ask, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(options.RequestTimeout, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            return await ask(both.Token).AsTask().WaitAsync(both.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw StoreErrors.TimedOut();
        }
        catch (Exception error) when (error is not (StoutException or OperationCanceledException or NotSupportedException))
        {
            // The proxy's driver has thrown. A lane takes that for an unknown outcome, too.
            throw new StoreException(StoreErrorKind.Unknown, StoreErrors.NoAnswer().Message, error);
        }
    }

    private static bool MayPass(StoreErrorKind kind) =>
        kind is StoreErrorKind.Unreachable or StoreErrorKind.Overloaded or StoreErrorKind.Busy or StoreErrorKind.Unknown or StoreErrorKind.LimitExceeded;
}
