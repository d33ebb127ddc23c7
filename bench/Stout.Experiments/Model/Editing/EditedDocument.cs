using Stout.Experiments.Workloads;

namespace Stout.Experiments.Model.Editing;

/// <summary>A document in virtual time, and its author. <c>Happen</c> makes one keystroke.</summary>
internal sealed class EditedDocument(Author author, EventQueue events, ModelRecorder recorder, ModelLane lane) : IModelEvent
{
    private readonly KeyHandle _handle = lane.Open(author.Document);

    public Author Author => author;

    /// <summary>Plans the next keystroke, if there is one.</summary>
    public void Go()
    {
        if (author.NextAt is { } next)
            events.Schedule(next, this);
    }

    public void Happen(TimeSpan now)
    {
        author.Type(part => lane.Change(_handle, part, now), part => lane.Delete(_handle, part, now));
        var reply = recorder.Arrived(0, isWrite: true, now);
        reply.Partition = lane.Partition;
        lane.Send(_handle, reply, now);
        Go();
    }
}
