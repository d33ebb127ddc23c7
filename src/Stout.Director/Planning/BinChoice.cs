namespace Stout.Director.Planning;

/// <summary>Which bin an overloaded server gives away first.</summary>
public enum BinChoice
{
    /// <summary>The hottest bin (the paper's algorithm 1).</summary>
    Hottest,

    /// <summary>The coolest whose move alone ends the overload, else the hottest.</summary>
    SmallestSufficient,
}
