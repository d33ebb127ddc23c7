using System.Globalization;

namespace Stout.Plots;

/// <summary>Marks and dashes that tell lines apart besides their colour: for print without colour, and for eyes that see few.</summary>
internal static class Shapes
{
    private const double Half = 4;
    private const double Tall = Half + 1;

    /// <summary>A line's class, for its colour.</summary>
    public static string Series(int i) => $"s{i % 10}";

    public static string Dash(int i) => (i % 3) switch
    {
        0 => "",
        1 => " stroke-dasharray=\"7 4\"",
        _ => " stroke-dasharray=\"2 4\"",
    };

    public static string Mark(int i, double x, double y, string kind) => (i % 4) switch
    {
        0 => $"<circle class=\"{kind}\" cx=\"{Number(x)}\" cy=\"{Number(y)}\" r=\"{Half}\"/>",
        1 => $"<path class=\"{kind}\" d=\"M{Number(x - Half)} {Number(y - Half)}h{2 * Half}v{2 * Half}h-{2 * Half}z\"/>",
        2 => $"<path class=\"{kind}\" d=\"M{Number(x)} {Number(y - Tall)}l{Tall} {2 * Half}h-{2 * Tall}z\"/>",
        _ => $"<path class=\"{kind}\" d=\"M{Number(x)} {Number(y - Tall)}l{Tall} {Tall}l-{Tall} {Tall}l-{Tall} -{Tall}z\"/>",
    };

    public static string Cross(double x, double y) =>
        $"<path class=\"cross\" d=\"M{Number(x - Half)} {Number(y - Half)}l{2 * Half} {2 * Half}m0 -{2 * Half}l-{2 * Half} {2 * Half}\"/>";

    /// <summary>The ends and the length of an error bar.</summary>
    public static string Bar(double x, double low, double high) =>
        $"<path class=\"bar\" d=\"M{Number(x - Half)} {Number(low)}h{2 * Half}m-{Half} 0V{Number(high)}m-{Half} 0h{2 * Half}\"/>";

    public static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);
}
