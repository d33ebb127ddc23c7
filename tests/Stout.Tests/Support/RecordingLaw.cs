using Stout.Pacing;

namespace Stout.Tests.Support;

/// <summary>A law whose values the test sets, and that records departures and answers.</summary>
internal sealed class RecordingLaw : IPacingLaw
{
    public TimeSpan Interval { get; set; }

    public int MaxInFlight { get; set; } = int.MaxValue;

    public int MaxBatchKeys { get; set; } = int.MaxValue;

    public bool EqualBatches { get; set; }

    public bool PacesReads { get; set; } = true;

    public PacingPhase Phase { get; set; }

    public List<BatchDeparture> Departures { get; } = [];

    public List<StoreRequest> Requests { get; } = [];

    /// <summary>The law's reaction to an answer.</summary>
    public Action? OnAnswer { get; set; }

    /// <summary>The law's reaction to a departure.</summary>
    public Action<BatchDeparture>? OnDeparture { get; set; }

    /// <summary>The exception that the law throws at every answer; null to throw nothing.</summary>
    public Exception? Error { get; set; }

    public void BatchSent(in BatchDeparture departure)
    {
        Departures.Add(departure);
        OnDeparture?.Invoke(departure);
    }

    public void RequestAnswered(in StoreRequest request)
    {
        Requests.Add(request);
        OnAnswer?.Invoke();
        if (Error is not null)
            throw Error;
    }
}
