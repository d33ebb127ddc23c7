using System.Text.Json.Serialization;

namespace Stout.Director.Layouts;

/// <summary>An operator's order for one server.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<ServerOrder>))]
public enum ServerOrder
{
    /// <summary>No order.</summary>
    None,

    /// <summary>The server is never emptied or released. It may give bins away if it is overloaded.</summary>
    Pin,

    /// <summary>The server gets no bins, and keeps those that it has.</summary>
    Cordon,

    /// <summary>The server gets no bins, gives all of its bins away, and is released when it is empty.</summary>
    Drain,
}
