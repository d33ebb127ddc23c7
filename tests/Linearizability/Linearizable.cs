namespace Linearizability;

/// <summary>Whether the operations of a register can have taken effect one after the other, each between its invocation and its return.</summary>
public enum Linearizable
{
    /// <summary>An order was found.</summary>
    Yes,

    /// <summary>There is no such order.</summary>
    No,

    /// <summary>The search has reached its bound.</summary>
    Unknown,
}
