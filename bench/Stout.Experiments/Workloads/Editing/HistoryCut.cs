using System.Text;
using Authors.Editing;
using Authors.Replay;

namespace Stout.Experiments.Workloads;

/// <summary>The beginning of an editing history.</summary>
internal static class HistoryCut
{
    /// <summary>
    /// Returns the beginning of a history: the keystrokes of the first <paramref name="time"/> at the recorded speed, and the resulting text.
    /// </summary>
    public static EditingHistory Of(EditingHistory history, TimeSpan time)
    {
        var keystrokes = history.Keystrokes.Zip(Pace.RecordedStarts(history)).TakeWhile(pair => pair.Second <= time).Select(pair => pair.First).ToList();
        if (keystrokes.Count == history.Keystrokes.Count)
            return history;
        var text = new StringBuilder(history.StartContent);
        foreach (var patch in keystrokes.SelectMany(keystroke => keystroke.Patches))
            text.Remove(patch.Position, patch.Deleted).Insert(patch.Position, patch.Inserted);
        return history with { Keystrokes = keystrokes, EndContent = text.ToString() };
    }
}
