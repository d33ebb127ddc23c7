using Stout.Lanes;
using Stout.Storage;

namespace Stout;

/// <summary>What a lane keeps of an open key. Only the lane's loop writes it.</summary>
public sealed partial class KeyHandle
{
    private volatile KeyPhase _phase;

    // Work while something is undurable, the fill while there is one, the reason once the key has failed: never two, so one field serves.
    private object? _activity;

    private CallbackMessage? _lastReleased;

    internal KeyPhase Phase => _phase;

    /// <summary>The stamp last read or acknowledged.</summary>
    internal Stamp Stored { get; set; }

    /// <summary>What the proxy returned with that stamp.</summary>
    internal object? Token { get; set; }

    /// <summary>The last callback message released and perhaps still running: the next ones run after it.</summary>
    internal CallbackMessage? LastReleased
    {
        get => _lastReleased;
        set => _lastReleased = value;
    }

    /// <summary>The key's size when it was last read or written, in bytes: the load bounds' estimate until it is serialized. -1 for a key that is new.</summary>
    internal int LastBytes { get; set; } = -1;

    internal PendingWork? Work => _activity as PendingWork;

    internal KeyFill? Fill => _activity as KeyFill;

    /// <summary>Why the key has failed; null for a handle that works, or was closed.</summary>
    internal StoutException? ClosedBecause => _activity as StoutException;

    internal void BeginFill(KeyFill fill) => _activity = fill;

    internal void Open(Stamp stored, object? token)
    {
        Stored = stored;
        Token = token;
        _activity = null;
        _phase = KeyPhase.Open;
    }

    /// <summary>A message's callback has run and none has come after it: what it refers to need not stay with a clean key.</summary>
    internal void Forget(CallbackMessage delivered) => Interlocked.CompareExchange(ref _lastReleased, null, delivered);

    internal void ReportCallbackError(Exception error) => _lane.ReportCallbackError(error);

    internal void SetWork(PendingWork? work) => _activity = work;

    internal void Close(StoutException? because)
    {
        _activity = because;
        _phase = KeyPhase.Closed;
    }
}

/// <summary>The life of a handle.</summary>
internal enum KeyPhase
{
    /// <summary>Being read or deserialized.</summary>
    Filling,

    /// <summary>It works.</summary>
    Open,

    /// <summary>It no longer works: failed, or given up.</summary>
    Closed,
}
