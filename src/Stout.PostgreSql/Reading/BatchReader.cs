using Npgsql;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>
/// Reads keys over one connection in one round trip and one transaction: claims first, then comparisons of long keys, headers, and whole keys. So no
/// owner changes between a claim and its read.
/// </summary>
internal sealed class BatchReader : IDisposable
{
    private readonly NpgsqlBatch _batch;
    private readonly ClaimCommand _claim;
    private readonly HeaderCommand _headers;
    private readonly KeyCommand _keys;
    private readonly LongKeyCommand _longKeys;
    private readonly ReplicationWatch _replication;

    public BatchReader(NpgsqlConnection connection, string schema, ReplicationWatch replication)
    {
        _replication = replication;
        var quoted = SessionSettings.Quote(schema);
        _batch = new NpgsqlBatch(connection);
        _claim = new ClaimCommand(quoted);
        _headers = new HeaderCommand(quoted);
        _keys = new KeyCommand(quoted);
        _longKeys = new LongKeyCommand(quoted);
    }

    /// <summary>
    /// Reads keys of a batch, and sets the outcomes of the decided ones. Keys stay undecided if another transaction locked, created or removed them
    /// between their claim and their read.
    /// </summary>
    /// <param name="batch">The batch.</param>
    /// <param name="indexes">The indexes of the keys.</param>
    /// <param name="claimed">The indexes of the keys that an earlier request has claimed: these are read, and not claimed again.</param>
    /// <param name="mostBytes">The most bytes of values in the answer.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The keys whose values did not fit, which stay undecided; null if all values fitted.</returns>
    public async ValueTask<List<LargeKey>?> ReadAsync(
        ReadBatch batch, IReadOnlyList<int> indexes, IReadOnlySet<int> claimed, long mostBytes, CancellationToken cancellationToken)
    {
        try
        {
            Prepare(batch, indexes, claimed);
            _keys.MostBytes = mostBytes;
            var found = new FoundKey[indexes.Count];
            await ExecuteAsync(batch, found, cancellationToken).ConfigureAwait(false);
            _replication.ThrowIfCutShort();
            List<LargeKey>? large = null;
            for (var i = 0; i < found.Length; i++)
            {
                var read = batch[indexes[i]];
                if (found[i].Settle(read, claimed.Contains(indexes[i])) is not { } outcome)
                    continue;
                if (found[i].Missing is not null && outcome is { Kind: ReadOutcomeKind.Read, Exists: true })
                    (large ??= []).Add(new LargeKey(indexes[i], read, found[i]));
                else
                    batch.SetOutcome(indexes[i], outcome);
            }

            return large;
        }
        finally
        {
            _claim.Clear();
            _headers.Clear();
            _keys.Clear();
            _longKeys.Clear();
        }
    }

    public void Dispose() => _batch.Dispose();

    private void Prepare(ReadBatch batch, IReadOnlyList<int> indexes, IReadOnlySet<int> claimed)
    {
        for (var place = 0; place < indexes.Count; place++)
        {
            var read = batch[indexes[place]];
            var key = RowKeys.Of(read.Key);
            var longKey = LongKeys.StoredOf(read.Key);
            if (read.Claim is { } claim && !claimed.Contains(indexes[place]))
                _claim.Add(key, claim, longKey);
            if (longKey is not null)
                _longKeys.Add(key, longKey, place);
            if (read.ReadsParts)
                _keys.Add(key, place);
            else
                _headers.Add(key, place);
        }

        _batch.BatchCommands.Clear();
        if (!_claim.IsEmpty)
            _batch.BatchCommands.Add(_claim.Command);
        if (!_longKeys.IsEmpty)
            _batch.BatchCommands.Add(_longKeys.Command);
        if (!_headers.IsEmpty)
            _batch.BatchCommands.Add(_headers.Command);
        if (!_keys.IsEmpty)
            _batch.BatchCommands.Add(_keys.Command);
    }

    private async ValueTask ExecuteAsync(ReadBatch batch, FoundKey[] found, CancellationToken cancellationToken)
    {
        var answer = await _batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (answer.ConfigureAwait(false))
        {
            foreach (var command in _batch.BatchCommands)
            {
                while (await answer.ReadAsync(cancellationToken).ConfigureAwait(false))
                {
                    if (command == _headers.Command)
                        _headers.Take(answer, found);
                    else if (command == _keys.Command)
                        _keys.Take(answer, found);
                    else if (command == _longKeys.Command)
                        _longKeys.Take(answer, found);
                    batch.ReportProgress();
                }

                // The commit follows the last answer; closing the reader would swallow its failure.
                await answer.NextResultAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }
}
