namespace Stout.Lanes.Shell;

/// <summary>The end of one call's wait: the caller's cancellation, or <see cref="StoutOptions.AnswerWithin"/>, whichever comes first.</summary>
internal readonly struct AnswerLimit : IDisposable
{
    private readonly CancellationToken _caller;
    private readonly CancellationTokenSource? _both;

    /// <summary>Begins a call.</summary>
    /// <param name="limits">Null without a limit.</param>
    /// <param name="caller">The caller's token.</param>
    public AnswerLimit(AnswerLimits? limits, CancellationToken caller)
    {
        _caller = caller;
        Token = caller;
        if (limits is null)
            return;
        Token = limits.Token;
        if (!caller.CanBeCanceled)
            return;
        _both = CancellationTokenSource.CreateLinkedTokenSource(caller, Token);
        Token = _both.Token;
    }

    /// <summary>Cancelled at the end of the call's wait.</summary>
    public CancellationToken Token { get; }

    /// <summary>Whether the wait has ended, by a token that the caller does not know.</summary>
    public bool HasEnded => Token != _caller && Token.IsCancellationRequested;

    /// <summary>The error of a call whose wait has ended: the caller's own cancellation, or the given error.</summary>
    public Exception ErrorOf(Exception passed) => _caller.IsCancellationRequested ? new OperationCanceledException(_caller) : passed;

    public void Dispose() => _both?.Dispose();
}
