using Authors.Editing;

namespace Authors.Making;

/// <summary>A text that an author is writing, with its edits so far and their times. Positions are in UTF-16 units.</summary>
internal sealed class Manuscript(DateTimeOffset begun)
{
    private readonly List<char> _text = [];
    private readonly List<Keystroke> _keystrokes = [];

    public int Length => _text.Count;

    public int Count => _keystrokes.Count;

    /// <summary>The time of the next keystroke.</summary>
    public DateTimeOffset Now { get; private set; } = begun;

    public char this[int index] => _text[index];

    public void Wait(TimeSpan time) => Now += time;

    public string Slice(int start, int length) => string.Concat(_text.Slice(start, length));

    /// <summary>Makes one keystroke that replaces a piece of the text.</summary>
    public void Replace(int position, int deleted, string inserted) => Replace([new Patch(position, deleted, inserted)]);

    /// <summary>Makes one keystroke of several edits, such as "replace all". Each position refers to the text after the edits before it.</summary>
    public void Replace(IReadOnlyList<Patch> patches)
    {
        foreach (var patch in patches)
        {
            _text.RemoveRange(patch.Position, patch.Deleted);
            _text.InsertRange(patch.Position, patch.Inserted);
        }

        _keystrokes.Add(new Keystroke(Now, patches));
    }

    public EditingHistory ToHistory(string name) => new(name, "", Slice(0, Length), _keystrokes);
}
