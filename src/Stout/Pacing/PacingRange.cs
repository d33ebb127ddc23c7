namespace Stout.Pacing;

/// <summary>Checks of laws' parameters; what they throw names parameter and range.</summary>
internal static class PacingRange
{
    public static void AtLeast(string parameter, int value, int least)
    {
        if (value < least)
            throw new InvalidOptionException(parameter, value, $"it must be {least} or more");
    }

    /// <summary>NaN lies in no range.</summary>
    public static void Between(string parameter, double value, double least, double most)
    {
        if (!(value >= least && value <= most))
            throw new InvalidOptionException(parameter, value, $"it must lie between {least} and {most}");
    }
}
