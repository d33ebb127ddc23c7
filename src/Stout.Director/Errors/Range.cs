namespace Stout.Director;

/// <summary>Checks parameters against their ranges.</summary>
internal static class Range
{
    /// <exception cref="InvalidPolicyException">The value is not a number or outside the range.</exception>
    public static void Check(string name, double value, double least, double most)
    {
        if (!(value >= least && value <= most))
            throw new InvalidPolicyException(FormattableString.Invariant($"{name} is {value}; it has to be {Words(least, most)}."));
    }

    private static string Words(double least, double most) => (least, most) switch
    {
        (double.Epsilon, double.MaxValue or int.MaxValue) => "above 0",
        (double.Epsilon, _) => FormattableString.Invariant($"above 0 and at most {most}"),
        (_, double.MaxValue or int.MaxValue) => FormattableString.Invariant($"at least {least}"),
        _ => FormattableString.Invariant($"from {least} to {most}"),
    };
}
