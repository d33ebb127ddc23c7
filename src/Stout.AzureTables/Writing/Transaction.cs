using Stout.AzureTables.Rest;
using Stout.Storage;

namespace Stout.AzureTables.Writing;

/// <summary>Commits some keys together; and where the service stops at one of them, the others without it.</summary>
/// <remarks>
/// The service commits all or nothing, and names the first operation whose condition failed. That key's header tells why, and the rest
/// is sent again. If the key had been committed before, all that travelled with it probably had; if a second one fails, more will: then the
/// headers of all are read at once, and one more transaction does.
/// </remarks>
internal sealed class Transaction(PartitionTable table, HeaderReader headers, TimeProvider time, List<KeyChange> changes)
{
    // Where each key's operations begin in the transaction that was sent last.
    private readonly List<int> _first = [];
    private int _failures;

    private IEnumerable<KeyChange> Open => changes.Where(static change => change.Outcome is null);

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
            changes.ForEach(change => change.Outcome = WriteOutcome.Of(error));
            return;
        }

        if (answer.ETags is { } etags)
        {
            for (var i = 0; i < changes.Count; i++)
                changes[i].Commit(etags[_first[i]]);
            return;
        }

        var failed = answer.Operation is { } operation ? KeyOf(operation) : null;
        if (!TableErrors.IsFailedCondition(answer.Status, answer.Code))
            Refuse(failed, answer);
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
            change.AddTo(body, now);
        }

        return body;
    }

    private int? KeyOf(int operation)
    {
        var place = _first.BinarySearch(operation);
        place = place >= 0 ? place : ~place - 1;
        return place >= 0 ? place : null;
    }

    private void Refuse(int? failed, TransactionAnswer answer)
    {
        var outcome = WriteOutcome.Of(TableErrors.Of(answer.Status, answer.Code));
        foreach (var change in failed is { } key ? [changes[key]] : changes)
            change.Outcome = outcome;
    }

    private async ValueTask LearnAsync(KeyChange? failed, CancellationToken cancellationToken)
    {
        if (failed is not null && _failures++ == 0)
        {
            await headers.ReadAsync([failed], cancellationToken).ConfigureAwait(false);
            if (failed.Outcome?.Kind != WriteOutcomeKind.Committed)
                return;
        }

        await headers.ReadAsync(Open, cancellationToken).ConfigureAwait(false);
    }
}
