namespace Stout.Experiments.Measuring;

/// <summary>Measures of how evenly something is shared.</summary>
internal static class Fairness
{
    /// <summary>Jain's index (the paper's reference 22): 1 if all n shares are equal, 1/n if one of them is everything and the others are 0.</summary>
    public static double Jain(IReadOnlyCollection<double> shares)
    {
        var sum = shares.Sum();
        var squares = shares.Sum(share => share * share);
        return squares == 0 ? 1 : sum * sum / (shares.Count * squares);
    }

    public static double MaxOverMin(IReadOnlyCollection<double> shares) => shares.Max() / shares.Min();
}
