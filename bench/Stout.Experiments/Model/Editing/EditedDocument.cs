using Authors.Editing;
using Authors.Replay;
using Authors.Sections;

namespace Stout.Experiments.Model.Editing;

/// <summary>
/// A document and its author, who makes the recorded keystrokes at their times, whether the earlier ones are durable or not. Its event is
/// a keystroke.
/// </summary>
internal sealed class EditedDocument : IModelEvent
{
    private readonly EditingHistory _history;
    private readonly EditingSettings _settings;
    private readonly EventQueue _events;
    private readonly RunRecorder _recorder;
    private readonly ModelLane _lane;
    private readonly KeyHandle _handle;
    private readonly IEnumerator<TimeSpan> _starts;
    private readonly SectionedText _text;
    private int _next;

    public EditedDocument(EditingHistory history, EditingSettings settings, EventQueue events, RunRecorder recorder, ModelLane lane)
    {
        _history = history;
        _settings = settings;
        _events = events;
        _recorder = recorder;
        _lane = lane;
        _handle = lane.Open(history.Name);
        _starts = Pace.RecordedStarts(history).GetEnumerator();
        _text = new SectionedText(history.StartContent);
    }

    public int Keystrokes => _history.Keystrokes.Count;

    public string EndContent => _history.EndContent;

    /// <summary>Keystrokes that have changed something.</summary>
    public int WritesAsked { get; private set; }

    /// <summary>Whether the author has made the last keystroke.</summary>
    public bool IsFinished => _next == Keystrokes;

    /// <summary>Plans the next keystroke, if there is one.</summary>
    public void Go()
    {
        if (_starts.MoveNext())
            _events.Schedule(_starts.Current / _settings.Speed, this);
    }

    public void Happen(TimeSpan now)
    {
        foreach (var patch in _history.Keystrokes[_next++].Patches)
            _text.Apply(patch);
        var changes = _text.TakeChanges();
        foreach (var change in changes)
            Mark(change, now);
        if (changes.Count > 0)
            WritesAsked++;
        var reply = _recorder.Arrived(0, isWrite: true, now);
        reply.Partition = _lane.Partition;
        _lane.Send(_handle, reply, now);
        Go();
    }

    public string? TextOf(SubKey part) => part.IsRoot ? _text.ToString() : _text.Sections.FirstOrDefault(section => section.Name == part.Text)?.Text;

    private void Mark(SectionChange change, TimeSpan now)
    {
        if (!_settings.SubKeys)
            _lane.Change(_handle, SubKey.Root, now);
        else if (change.Text is null)
            _lane.Delete(_handle, new SubKey(change.Name), now);
        else
            _lane.Change(_handle, new SubKey(change.Name), now);
    }
}
