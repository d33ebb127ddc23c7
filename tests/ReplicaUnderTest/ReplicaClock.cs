namespace ReplicaUnderTest;

/// <summary>The wall clock of one replica. Its offset from the machine's clock changes while calls run.</summary>
/// <param name="late">The time by which the product's clock is behind the clock in the answers: a planted bug.</param>
internal sealed class ReplicaClock(TimeSpan late) : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<Window> _windows = [];
    private TimeSpan _offset;

    public override DateTimeOffset GetUtcNow()
    {
        lock (_lock)
            return MachineClock.Now + _offset - late;
    }

    /// <summary>Sets the clock's offset from the machine's.</summary>
    public void Set(TimeSpan offset)
    {
        lock (_lock)
        {
            NoteAll();
            _offset = offset;
            NoteAll();
        }
    }

    /// <summary>Records that a call begins.</summary>
    public Window Begin()
    {
        lock (_lock)
        {
            var now = (MachineClock.Now + _offset).UtcTicks;
            var window = new Window { Least = now, Greatest = now };
            _windows.Add(window);
            return window;
        }
    }

    /// <summary>Records that a call has ended.</summary>
    public void End(Window window)
    {
        lock (_lock)
        {
            Note(window);
            _windows.Remove(window);
        }
    }

    private void NoteAll() => _windows.ForEach(Note);

    private void Note(Window window)
    {
        var now = (MachineClock.Now + _offset).UtcTicks;
        (window.Least, window.Greatest) = (Math.Min(window.Least, now), Math.Max(window.Greatest, now));
    }

    /// <summary>The times that the clock has shown during one call, in ticks.</summary>
    internal sealed class Window
    {
        public long Least { get; set; }

        public long Greatest { get; set; }
    }
}
