using System.Text.Json.Serialization;

namespace Stout.Director;

/// <summary>The effect of a Director's decisions.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<DirectorMode>))]
public enum DirectorMode
{
    /// <summary>Decisions are carried out.</summary>
    Act,

    /// <summary>Decisions are proposals. An action is carried out once it is approved: <see cref="DirectorRunner.ApproveAsync"/>.</summary>
    Approve,

    /// <summary>Decisions are only returned. The Director does not claim the cluster, so another one may act beside it.</summary>
    Observe,
}
