using System.Text;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Live.Editing;

/// <summary>A document in memory, and its author. The author types while the lane serializes.</summary>
internal sealed class LiveDocument(Author author, KeyHandle handle)
{
    private readonly Lock _lock = new();

    public Author Author => author;

    /// <summary>Makes the keystrokes that are due.</summary>
    public void Advance(TimeSpan now, LiveRecorder recorder)
    {
        while (author.NextAt is { } due && due <= now)
        {
            var startedAt = ClientThread.StartOf(due, now);
            recorder.TryAsk(startedAt);
            lock (_lock)
                author.Type(handle.MarkDirty, handle.MarkDeleted);
            handle.SendMessageWhenSafe(
                (Recorder: recorder, StartedAt: startedAt),
                static (state, release) => state.Recorder.Answered(new ClientRequest(state.StartedAt, IsWrite: true, 0, 0), release.Failure));
        }
    }

    public void Serialize(SerializationKey key)
    {
        lock (_lock)
        {
            foreach (var part in key.DirtyParts)
            {
                if (author.TextOf(part) is { } text)
                    Encoding.UTF8.GetBytes(text, key.Write(part));
                else
                    key.Delete(part);
            }
        }
    }
}
