using Stout.Lanes.Core;

namespace Stout.Tests.Lanes.Schedules;

/// <summary>A message of the schedule: the state that it has seen, and its end.</summary>
internal sealed class ScheduleMessage(ScheduleProcess process, KeyHandle handle, int number, int seen, bool isChange) : Message
{
    public ScheduleProcess Process => process;

    public KeyHandle Handle => handle;

    /// <summary>The message's position among the messages of its handle.</summary>
    public int Number => number;

    /// <summary>The state in memory when the message was sent.</summary>
    public int Seen => seen;

    /// <summary>Whether the message's sender has made the state <see cref="Seen"/>; otherwise the sender has only read it.</summary>
    public bool IsChange => isChange;

    /// <summary>The states that had been acknowledged when the confirmed read began; null for other messages.</summary>
    public IReadOnlyList<int>? Acknowledged { get; init; }

    public bool IsConcluded { get; set; }

    /// <summary>The time limit by which the core must release or fail the message; set when the core receives it.</summary>
    public TimeLimit Limit { get; set; }

    public override string ToString() => $"{(isChange ? "change" : Acknowledged is null ? "read" : "confirmed read")} {number} in process {process.Id}";
}
