using Stout.Lanes;

namespace Stout.Tests.Lanes.Schedules;

/// <summary>A message of the schedule: the state that it has seen, and its end.</summary>
internal sealed class ScheduleMessage(ScheduleProcess process, KeyHandle handle, int number, int seen, bool isChange) : Message
{
    public ScheduleProcess Process => process;

    public KeyHandle Handle => handle;

    /// <summary>Its place among the messages of its handle.</summary>
    public int Number => number;

    /// <summary>The state in memory when it was sent.</summary>
    public int Seen => seen;

    /// <summary>Whether its sender has made that state; otherwise the sender has only read it.</summary>
    public bool IsChange => isChange;

    /// <summary>Of a confirmed read: the states that had been acknowledged when it began. Otherwise null.</summary>
    public IReadOnlyList<int>? Acknowledged { get; init; }

    public bool IsConcluded { get; set; }

    /// <summary>The time limit by which the core must release or fail the message; set when the core receives it.</summary>
    public TimeLimit Limit { get; set; }

    public override string ToString() => $"{(isChange ? "change" : Acknowledged is null ? "read" : "confirmed read")} {number} in process {process.Id}";
}
