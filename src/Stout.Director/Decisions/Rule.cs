namespace Stout.Director.Decisions;

/// <summary>The rules of the planner; algorithm 1 is the paper's. The reason of each action names one of the rules.</summary>
public enum Rule
{
    /// <summary>A bin has too few whole replicas.</summary>
    Repair,

    /// <summary>The model predicts that a server violates the objective (algorithm 1, lines 4 to 11).</summary>
    Overload,

    /// <summary>A bin's load is too high for the servers that hold it (algorithm 1, lines 7 and 8).</summary>
    HotBin,

    /// <summary>A bin has more replicas than its load needs (algorithm 1, lines 13 and 14).</summary>
    SurplusReplica,

    /// <summary>An underloaded server's bins fit elsewhere (algorithm 1, lines 15 to 20).</summary>
    Coalesce,

    /// <summary>The present servers have no room for some load (algorithm 1, line 21).</summary>
    Shortage,

    /// <summary>Fewer empty servers are ready than the policy keeps.</summary>
    Reserve,

    /// <summary>A leased server has not booted in time.</summary>
    FailedBoot,

    /// <summary>The operator wants a server drained.</summary>
    Order,

    /// <summary>More empty servers are ready than the policy keeps, and the paid interval of one ends soon.</summary>
    Surplus,
}
