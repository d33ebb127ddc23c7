using System.Text.Json.Serialization;

namespace Stout.Pacing;

/// <summary>The phases of a pacing law. Only <see cref="DelayLaw"/> has several; other laws are always steady.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<PacingPhase>))]
public enum PacingPhase
{
    /// <summary>Each answer adjusts the interval so that the queueing delay meets its target.</summary>
    Steady,

    /// <summary>No interval and two requests in flight, until the first answers show whether the lane has a backlog.</summary>
    Startup,

    /// <summary>A long interval, until the queue that a backlog left in the store has drained.</summary>
    Draining,

    /// <summary>The interval is halved again and again until answers are late.</summary>
    Descending,

    /// <summary>The base latency is measured anew; the interval is not shortened meanwhile.</summary>
    Relearning,

    /// <summary>The store has refused requests, and the interval that avoids refusals is longer than the queueing delay requires.</summary>
    Refused,
}
