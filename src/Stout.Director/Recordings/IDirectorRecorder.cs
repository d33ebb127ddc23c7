using Stout.Director.Actions;
using Stout.Director.Layouts;

namespace Stout.Director.Recordings;

/// <summary>Receives every input of a <see cref="DirectorCore"/>, in order. Replaying these inputs yields the same decisions, bit for bit.</summary>
public interface IDirectorRecorder
{
    /// <summary>Called before <see cref="DirectorCore.Begin"/>.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="epoch">The epoch.</param>
    /// <param name="intents">The unfinished actions.</param>
    void Began(TimeSpan now, long epoch, IReadOnlyList<DirectorAction> intents);

    /// <summary>Called before <see cref="DirectorCore.Plan"/>.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="observation">The cluster.</param>
    void Planned(TimeSpan now, ClusterObservation observation);

    /// <summary>Called before <see cref="DirectorCore.Advance"/>.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="observation">The cluster.</param>
    void Advanced(TimeSpan now, ClusterObservation observation);

    /// <summary>Called before <see cref="DirectorCore.Approve"/>.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="actions">The ids of the approved actions.</param>
    void Approved(TimeSpan now, IReadOnlyList<long> actions);

    /// <summary>Called before <see cref="DirectorCore.Answered"/>.</summary>
    /// <param name="command">The command.</param>
    /// <param name="outcome">The answer.</param>
    void Answered(ClusterCommand command, CommandOutcome outcome);
}
