namespace Stout.Director.Planning;

/// <summary>The bin that an overloaded server gives away first.</summary>
public enum BinChoice
{
    /// <summary>The hottest bin (the paper's algorithm 1).</summary>
    Hottest,

    /// <summary>The coolest bin whose move alone ends the overload; without such a bin, the hottest.</summary>
    SmallestSufficient,
}
