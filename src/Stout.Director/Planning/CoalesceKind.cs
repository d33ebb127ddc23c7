namespace Stout.Director.Planning;

/// <summary>The time at which underloaded servers are emptied.</summary>
public enum CoalesceKind
{
    /// <summary>In every plan, bin by bin, from the least loaded server on (the paper's algorithm 1).</summary>
    BinByBin,

    /// <summary>Only near the end of a paid interval, and only if all of the server's bins fit on other servers.</summary>
    WholeServers,
}
