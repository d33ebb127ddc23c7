namespace Authors.Editing;

/// <summary>The history of a document's writing, keystroke by keystroke.</summary>
/// <param name="Name">The file's name without its extension, which is also the document's id.</param>
/// <param name="StartContent">The text before the first keystroke.</param>
/// <param name="EndContent">The text after the last keystroke.</param>
/// <param name="Keystrokes">The keystrokes in order.</param>
internal sealed record EditingHistory(string Name, string StartContent, string EndContent, IReadOnlyList<Keystroke> Keystrokes);

/// <summary>One transaction of the editor. It must be durable before the author goes on.</summary>
/// <param name="Time">The recorded time of the transaction.</param>
/// <param name="Patches">The transaction's edits, in order. The position of an edit refers to the text after the preceding edits.</param>
internal sealed record Keystroke(DateTimeOffset Time, IReadOnlyList<Patch> Patches);

/// <summary>One edit: at a position, it deletes a number of characters and inserts a text. Positions and lengths are in UTF-16 units.</summary>
internal readonly record struct Patch(int Position, int Deleted, string Inserted);
