namespace Authors.Editing;

/// <summary>How a document was written, keystroke by keystroke.</summary>
/// <param name="Name">The file's name without its extension; the document's id too.</param>
/// <param name="StartContent">The text before the first keystroke.</param>
/// <param name="EndContent">The text after the last.</param>
/// <param name="Keystrokes">In order.</param>
internal sealed record EditingHistory(string Name, string StartContent, string EndContent, IReadOnlyList<Keystroke> Keystrokes);

/// <summary>One transaction of the editor. It must be durable before the author goes on.</summary>
/// <param name="Time">When it was made, as far as was recorded.</param>
/// <param name="Patches">Its edits, to be made one after the other.</param>
internal sealed record Keystroke(DateTimeOffset Time, IReadOnlyList<Patch> Patches);

/// <summary>One edit: at a position, in UTF-16 units, so many units go and a text comes.</summary>
internal readonly record struct Patch(int Position, int Deleted, string Inserted);
