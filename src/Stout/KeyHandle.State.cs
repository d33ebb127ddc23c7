using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout;

/// <summary>The lane's state of an open key. Only the lane's loop writes it.</summary>
public sealed partial class KeyHandle
{
    private volatile KeyPhase _phase;

    // Holds a PendingWork, a KeyFill or the failure. Only one of them exists at a time, so one field suffices.
    private object? _activity;

    private CallbackMessage? _lastReleased;

    internal KeyPhase Phase => _phase;

    private KeyOwnership? _ownership;
    private Stamp _stored;

    // Odd while the lane writes the version, so that a reader on another thread reads again.
    private uint _versionWrites;

    /// <summary>The version last read or acknowledged.</summary>
    internal Stamp Stored
    {
        get => _stored;
        set
        {
            Volatile.Write(ref _versionWrites, _versionWrites + 1);
            Volatile.WriteBarrier();
            _stored = value;
            Volatile.Write(ref _versionWrites, _versionWrites + 1);
        }
    }

    /// <summary>The proxy's token for the version in <see cref="Stored"/>.</summary>
    internal object? Token { get; set; }

    /// <summary>The last released callback message, which may still be running. Later messages are chained behind it.</summary>
    internal CallbackMessage? LastReleased
    {
        get => _lastReleased;
        set => _lastReleased = value;
    }

    /// <summary>The key's size in bytes when it was last read or written, used as an estimate until it is serialized; -1 for a new key.</summary>
    internal int LastBytes { get; set; } = -1;

    /// <summary>The number of callers that the lane has given the handle, and that have not refused it.</summary>
    internal int Callers { get; set; }

    internal PendingWork? Work => _activity as PendingWork;

    internal KeyFill? Fill => _activity as KeyFill;

    /// <summary>The reason of the key's failure; null for an open or normally closed handle.</summary>
    internal StoutException? ClosedBecause => _activity as StoutException;

    internal void BeginFill(KeyFill fill) => _activity = fill;

    /// <summary>Stores the version, token and owner that the fill has read.</summary>
    internal void Take(in ReadOutcome read)
    {
        Stored = read.Version;
        Token = read.Token;
        if (read.Owner != KeyOwner.None)
            _ownership = new KeyOwnership(read.Owner);
    }

    internal void Open()
    {
        _activity = null;
        _phase = KeyPhase.Open;
    }

    /// <summary>Drops the reference to a delivered message if no newer one was released, so that a clean key keeps nothing alive.</summary>
    internal void Forget(CallbackMessage delivered) => Interlocked.CompareExchange(ref _lastReleased, null, delivered);

    internal void ReportCallbackError(Exception error) => _lane.ReportCallbackError(error);

    internal void SetWork(PendingWork? work) => _activity = work;

    internal void Close(StoutException? because)
    {
        _activity = because;
        _phase = KeyPhase.Closed;
    }
}

/// <summary>The phases of a handle's life.</summary>
internal enum KeyPhase : byte
{
    /// <summary>The key is being read or deserialized.</summary>
    Filling,

    /// <summary>The handle is open.</summary>
    Open,

    /// <summary>The handle stopped working: its key failed, or it was closed.</summary>
    Closed,
}

/// <summary>A handle's owner, as an object of its own: the handle of a key without an owner then has only a null reference.</summary>
internal sealed record KeyOwnership(KeyOwner Owner);
