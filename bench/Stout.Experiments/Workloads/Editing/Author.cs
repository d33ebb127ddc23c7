using Authors.Editing;
using Authors.Replay;
using Authors.Sections;

namespace Stout.Experiments.Workloads;

/// <summary>Makes the recorded keystrokes at their times, whether the earlier ones are durable or not.</summary>
internal sealed class Author
{
    private readonly EditingHistory _history;
    private readonly EditingSettings _settings;
    private readonly IEnumerator<TimeSpan> _starts;
    private readonly SectionedText _text;
    private int _next;

    public Author(EditingHistory history, EditingSettings settings)
    {
        _history = history;
        _settings = settings;
        _starts = Pace.RecordedStarts(history).GetEnumerator();
        _text = new SectionedText(history.StartContent);
        MoveOn();
    }

    public string Document => _history.Name;

    public int Keystrokes => _history.Keystrokes.Count;

    public string EndContent => _history.EndContent;

    /// <summary>Keystrokes that have changed something.</summary>
    public int WritesAsked { get; private set; }

    /// <summary>When the next keystroke is due; null after the last.</summary>
    public TimeSpan? NextAt { get; private set; }

    /// <summary>Makes the next keystroke.</summary>
    /// <param name="change">Called for every part of the document that the keystroke changes.</param>
    /// <param name="delete">Called for every part that the keystroke deletes.</param>
    public void Type(Action<SubKey> change, Action<SubKey> delete)
    {
        foreach (var patch in _history.Keystrokes[_next++].Patches)
            _text.Apply(patch);
        var changes = _text.TakeChanges();
        foreach (var section in changes)
        {
            if (!_settings.SubKeys)
                change(SubKey.Root);
            else if (section.Text is null)
                delete(new SubKey(section.Name));
            else
                change(new SubKey(section.Name));
        }

        if (changes.Count > 0)
            WritesAsked++;
        MoveOn();
    }

    /// <summary>A part of the document as it is now; null if the document lacks it.</summary>
    public string? TextOf(SubKey part) => part.IsRoot ? _text.ToString() : _text.Sections.FirstOrDefault(section => section.Name == part.Text)?.Text;

    private void MoveOn() => NextAt = _starts.MoveNext() ? _starts.Current / _settings.Speed : null;
}
