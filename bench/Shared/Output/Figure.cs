using System.Globalization;

namespace Stout.Experiments.Output;

/// <summary>Formats numbers for readers, with about three digits. CSV and JSON have more digits.</summary>
internal static class Figure
{
    public static string Of(double? value, string none = "–") => value is { } number && double.IsFinite(number) ? Of(number) : none;

    /// <summary>A cell of a table.</summary>
    public static string OfCell(object? cell) => cell switch
    {
        double number when double.IsFinite(number) => Of(number),
        int number => Of((double)number),
        _ => Table.Text(cell),
    };

    private static string Of(double number) => number.ToString(
        Math.Abs(number) switch
        {
            >= 100 => "#,0",
            _ when number == Math.Round(number) => "0",
            >= 10 => "0.0",
            >= 0.1 => "0.00",
            _ => "0.00000",
        },
        CultureInfo.InvariantCulture);
}
