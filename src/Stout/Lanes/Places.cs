namespace Stout.Lanes;

/// <summary>
/// The places in flight of one kind of request. The law says how many there are. Beside them stand a few requests that hold no place: those
/// that have been under way for long, and repeats of what timed out. So one key that the store does not answer holds up no other.
/// </summary>
internal sealed class Places(DepartureGate gate)
{
    /// <summary>Bounds what keys that the store does not answer hold beside the law's limit: each request may be a session of the store.</summary>
    public const int MostBeside = 4;

    private int _slow;
    private int _repeats;
    private int _slowRepeats;

    /// <summary>Requests under way.</summary>
    public int InFlight { get; private set; }

    /// <summary>Requests under way that hold one of the law's places. While the store fails, a slow one keeps its place: more would only wait as well.</summary>
    public int Held => InFlight - _repeats - (gate.IsFailing ? 0 : Math.Min(_slow, MostBeside));

    /// <summary>Whether another request may leave.</summary>
    public bool HasRoom => Held < gate.MaxInFlight;

    /// <summary>Whether a repeat of what timed out may leave. While the store fails, one at a time, and the next once that one is slow.</summary>
    public bool HasRoomForRepeat => _repeats < MostBeside && (!gate.IsFailing || _repeats == _slowRepeats);

    public void Take(StoreCall call, bool isRepeat)
    {
        InFlight++;
        call.Place = isRepeat ? Place.Repeat : Place.Held;
        if (isRepeat)
            _repeats++;
    }

    /// <summary>A request has been under way for long.</summary>
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

/// <summary>Where a request under way stands.</summary>
internal enum Place : byte
{
    /// <summary>It holds one of the law's places.</summary>
    Held,

    /// <summary>It repeats what timed out, beside the law's places.</summary>
    Repeat,

    /// <summary>It has been under way for long, and holds none of the law's places while the store answers others.</summary>
    Slow,

    /// <summary>A repeat that has been under way for long.</summary>
    SlowRepeat,
}
