namespace Stout.Lanes.Core;

/// <summary>
/// Counts requests in flight of one kind against the law's limit. Slow requests, and repeats of timed-out ones, count separately. One unanswered key
/// therefore delays no other key.
/// </summary>
internal sealed class Places(DepartureGate gate)
{
    /// <summary>
    /// The most slow requests, and also the most repeats, in flight beyond the law's limit. Each such request may occupy one session of the store.
    /// </summary>
    public const int MostBeside = 4;

    private int _slow;
    private int _repeats;
    private int _slowRepeats;

    /// <summary>The number of requests in flight.</summary>
    public int InFlight { get; private set; }

    /// <summary>
    /// The requests that count against the law's limit. While the store fails, slow requests count too, since further requests would also have to wait.
    /// </summary>
    public int Held => InFlight - _repeats - (gate.IsFailing ? 0 : Math.Min(_slow, MostBeside));

    /// <summary>Whether the law's limit allows another request.</summary>
    public bool HasRoom => Held < gate.MaxInFlight;

    /// <summary>
    /// Whether a repeat of a timed-out request may leave. While the store fails, a repeat leaves only when all earlier repeats are slow.
    /// </summary>
    public bool HasRoomForRepeat => _repeats < MostBeside && (!gate.IsFailing || _repeats == _slowRepeats);

    public void Take(StoreCall call, bool isRepeat)
    {
        InFlight++;
        call.Place = isRepeat ? Place.Repeat : Place.Held;
        if (isRepeat)
            _repeats++;
    }

    /// <summary>Reclassifies a request as slow.</summary>
    public void StepAside(StoreCall call)
    {
        if (call.Place == Place.Held)
        {
            call.Place = Place.Slow;
            _slow++;
        }
        else
        {
            call.Place = Place.SlowRepeat;
            _slowRepeats++;
        }
    }

    public void Free(StoreCall call)
    {
        InFlight--;
        if (call.Place == Place.Slow)
            _slow--;
        if (call.Place is Place.Repeat or Place.SlowRepeat)
            _repeats--;
        if (call.Place == Place.SlowRepeat)
            _slowRepeats--;
    }
}

/// <summary>The category of a request in flight.</summary>
internal enum Place : byte
{
    /// <summary>Counts against the law's limit.</summary>
    Held,

    /// <summary>Repeats a timed-out request; does not count against the law's limit.</summary>
    Repeat,

    /// <summary>Slow; does not count against the law's limit while the store answers others.</summary>
    Slow,

    /// <summary>A slow repeat.</summary>
    SlowRepeat,
}
