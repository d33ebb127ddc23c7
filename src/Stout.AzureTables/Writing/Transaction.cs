using Stout.AzureTables.Rows;
using Stout.AzureTables.Service;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>Commits several keys together. If the service refuses one of them, the others are committed without it.</summary>
/// <remarks>
/// <para>The service commits all operations or nothing, and names the first operation with a failed condition. The header of that operation's key tells the
/// reason, and the other keys are sent again. If an earlier request had committed that key, it had probably committed the others too. So in that case, and
/// after a second failure, all headers are read at once, and one more transaction suffices.</para>
/// <para>If the service fails without naming an operation, or times out, the keys are split into two transactions, down to single keys. A refused key
/// then fails alone, and a slow transaction becomes smaller.</para>
/// </remarks>
internal sealed class Transaction(PartitionTable table, HeaderReader headers, TimeProvider time, TimeSpan retention, Sweeper sweeper, List<BatchedKey> changes)
{
    // The index of each key's first operation in the last transaction.
    private readonly List<int> _first = [];
    private int _failures;

    private IEnumerable<BatchedKey> Open => changes.Where(static change => change.Outcome is null);

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        while (changes.Count > 0)
        {
            await AttemptAsync(cancellationToken).ConfigureAwait(false);
            changes.RemoveAll(static change => change.Outcome is not null);
        }
    }

    private async ValueTask AttemptAsync(CancellationToken cancellationToken)
    {
        TransactionAnswer answer;
        try
        {
            using var body = Compose();
            answer = await table.CommitAsync(body, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error)
        {
            await FailAsync(error, cancellationToken).ConfigureAwait(false);
            return;
        }

        if (answer.ETags is { } etags)
        {
            var left = 0;
            for (var i = 0; i < changes.Count; i++)
                left += changes[i].Commit(etags[_first[i]]) ? 1 : 0;
            sweeper.Backlog.Add(left);
            return;
        }

        var failed = answer.Operation is { } operation ? KeyOf(operation) : null;
        if (!AzureTablesErrors.IsFailedCondition(answer.Status, answer.Code))
            await RefuseAsync(failed, AzureTablesErrors.Classify(answer.Status, answer.Code), cancellationToken).ConfigureAwait(false);
        else if (failed is { } key && answer.Operation > _first[key] && changes[key].MayMissRows)
            await headers.ReadRowsAsync(_failures++ == 0 ? [changes[key]] : Open.Where(static change => change.MayMissRows), cancellationToken).ConfigureAwait(false);
        else
            await LearnAsync(failed is { } index ? changes[index] : null, cancellationToken).ConfigureAwait(false);
    }

    private TransactionBody Compose()
    {
        var body = table.NewTransaction();
        var now = time.GetUtcNow();
        _first.Clear();
        foreach (var change in changes)
        {
            _first.Add(body.Count);
            change.AddTo(body, now, retention);
        }

        return body;
    }

    private int? KeyOf(int operation)
    {
        var place = _first.BinarySearch(operation);
        place = place >= 0 ? place : ~place - 1;
        return place >= 0 ? place : null;
    }

    private async ValueTask RefuseAsync(int? failed, StoreException error, CancellationToken cancellationToken)
    {
        if (failed is { } key)
            changes[key].Fail(error);
        else
            await FailAsync(error, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Handles the failure of the whole transaction, and tries its halves if one key or the size may be the cause.</summary>
    private async ValueTask FailAsync(StoreException error, CancellationToken cancellationToken)
    {
        // An error without an inner exception is the service's own answer, rather than a lost connection or a local time limit.
        var isAnswer = error.InnerException is null;
        if (changes.Count > 1 && isAnswer && (error.Kind is StoreErrorKind.Refused or StoreErrorKind.Unknown))
        {
            changes.ForEach(change => change.IsInDoubt |= error.Kind == StoreErrorKind.Unknown);
            var half = changes.Count / 2;
            foreach (var some in new[] { changes[..half], changes[half..] })
                await new Transaction(table, headers, time, retention, sweeper, some).RunAsync(cancellationToken).ConfigureAwait(false);
            return;
        }

        changes.ForEach(change => change.Fail(error));
    }

    private async ValueTask LearnAsync(BatchedKey? failed, CancellationToken cancellationToken)
    {
        if (failed is not null && _failures++ == 0)
        {
            await headers.ReadAsync([failed], afterAttempt: true, cancellationToken).ConfigureAwait(false);
            if (failed.Outcome?.Kind != WriteOutcomeKind.Committed)
                return;
        }

        await headers.ReadAsync(Open, afterAttempt: true, cancellationToken).ConfigureAwait(false);
    }
}
