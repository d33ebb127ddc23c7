using System.Text.Json.Serialization;

namespace Stout.Pacing;

/// <summary>The reason why a lane's last batch did not leave earlier, ordered by how much of the delay is due to the store.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<PacingLimit>))]
public enum PacingLimit
{
    /// <summary>No delay: the batch left as soon as there was something to send. An idle lane has this value at any interval.</summary>
    None,

    /// <summary>The batching interval.</summary>
    Interval,

    /// <summary>The limit of requests in flight.</summary>
    InFlight,

    /// <summary>The batching interval, which refusals for overload have lengthened.</summary>
    Refusals,

    /// <summary>The delay before a retry, after a failure of the store or at the store's request.</summary>
    Trouble,
}
