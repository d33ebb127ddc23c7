namespace Stout.Plots;

/// <summary>Names of lines in rows below a picture.</summary>
internal static class Legend
{
    // There is no font to ask how wide a text is: a letter of this size takes about so much, and a line's sample as much as five.
    private const double LetterWidth = 7.2;
    private const double SampleWidth = 40;

    /// <summary>Where each name begins, row by row.</summary>
    public static IReadOnlyList<(double X, int Row)> Arrange(IEnumerable<string> names, double width)
    {
        var places = new List<(double, int)>();
        var (x, row) = (0.0, 0);
        foreach (var name in names)
        {
            var taken = SampleWidth + (name.Length * LetterWidth);
            if (x > 0 && x + taken > width)
                (x, row) = (0, row + 1);
            places.Add((x, row));
            x += taken;
        }

        return places;
    }
}
