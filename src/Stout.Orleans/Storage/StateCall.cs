using Orleans.Runtime;

namespace Stout.Orleans.Storage;

/// <summary>One call of a state: the end of its caller's wait, and whether its change was handed to Stout until then.</summary>
internal sealed class StateCall : IDisposable
{
    private readonly StoutGrainStorage _storage;
    private readonly string _stateName;
    private readonly GrainId _grainId;
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource _limit;
    private readonly CancellationTokenSource? _both;
    private readonly CancellationToken _passed;
    private int _isDecided;

    /// <summary>Begins a call.</summary>
    /// <param name="storage">The provider.</param>
    /// <param name="stateName">The state's name.</param>
    /// <param name="grainId">The grain.</param>
    /// <param name="caller">The caller's token.</param>
    public StateCall(StoutGrainStorage storage, string stateName, GrainId grainId, CancellationToken caller)
    {
        (_storage, _stateName, _grainId, _caller) = (storage, stateName, grainId, caller);
        _limit = storage.Store.Answers.Begin();
        // The tokens are usable after the disposal, when the work continues.
        Token = _passed = _limit.Token;
        if (!caller.CanBeCanceled)
            return;
        _both = CancellationTokenSource.CreateLinkedTokenSource(caller, _passed);
        Token = _both.Token;
    }

    /// <summary>Cancelled at the call's limit, or by the caller.</summary>
    public CancellationToken Token { get; }

    /// <summary>Whether the time limit has passed.</summary>
    public bool HasPassed => _passed.IsCancellationRequested;

    // Only errors need the key.
    private PartitionKey Key => _storage.StoutKeyOf(_stateName, _grainId);

    /// <summary>Decides that the call's change is handed to Stout.</summary>
    /// <exception cref="OperationCanceledException">The caller was told before that nothing is written.</exception>
    public void HandOver()
    {
        if (!TryDecide())
            throw new OperationCanceledException("The caller's time limit has passed.");
    }

    /// <summary>Waits for a read until the limit or until the caller's token fires. The read continues, since it may already have changed the owner.</summary>
    /// <exception cref="GrainStateNotReadException">The time limit has passed.</exception>
    /// <exception cref="OperationCanceledException">The caller's token has fired.</exception>
    public async Task<T> WaitForReadAsync<T>(Task<T> reading)
    {
        try
        {
            if (await AnswerTime.HasEndedAsync(reading, reading.WaitAsync(Token)).ConfigureAwait(false))
                return await reading.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (Token.IsCancellationRequested)
        {
            // The read has ended because of the token.
        }

        _caller.ThrowIfCancellationRequested();
        throw StateErrors.OfRead(
            new FillFailedException(Key, new TimeoutException($"The time limit for an answer ({nameof(StoutOptions.AnswerWithin)}) passed.")), _stateName, _grainId);
    }

    /// <summary>
    /// Waits for a change until the limit. The change continues: its value is handed to Stout by then, or never. The caller's token ends the call only before
    /// the value is handed to Stout.
    /// </summary>
    /// <exception cref="GrainStateNotWrittenException">The time limit has passed before the value was handed to Stout.</exception>
    /// <exception cref="GrainStateOutcomeUnknownException">The time limit has passed.</exception>
    /// <exception cref="OperationCanceledException">The caller's token has fired before the value was handed to Stout.</exception>
    public async Task<T> WaitForChangeAsync<T>(Task<T> changing, string? etag)
    {
        try
        {
            if (await AnswerTime.HasEndedAsync(changing, changing.WaitAsync(_passed)).ConfigureAwait(false))
                return await changing.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (Token.IsCancellationRequested)
        {
            // The work has ended because of the token.
        }

        if (!TryDecide())
            throw StateErrors.OfWrite(new OutcomeUnknownException(Key, OutcomeUnknownReason.NotAnsweredInTime), _stateName, _grainId, etag);
        _caller.ThrowIfCancellationRequested();
        throw StateErrors.OfWrite(new NotAppliedException(Key, NotAppliedReason.NotAnsweredInTime), _stateName, _grainId, etag);
    }

    public void Dispose()
    {
        _both?.Dispose();
        _limit.Dispose();
    }

    private bool TryDecide() => Interlocked.Exchange(ref _isDecided, 1) == 0;
}
