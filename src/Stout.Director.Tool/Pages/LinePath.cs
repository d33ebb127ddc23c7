using System.Globalization;
using System.Text;

namespace Stout.Director.Tool.Pages;

/// <summary>The path of a line in SVG. Of the points of one pixel only the first, lowest, highest and last are drawn, so that a page stays small.</summary>
internal static class LinePath
{
    public static string Of(IReadOnlyList<double> xs, IReadOnlyList<double> ys, Func<double, double> x, Func<double, double> y)
    {
        var path = new StringBuilder();
        var isDown = false;
        for (var i = 0; i < xs.Count;)
        {
            if (!double.IsFinite(ys[i]))
            {
                isDown = false;
                i++;
                continue;
            }

            var (first, low, high) = (i, i, i);
            var pixel = Math.Floor(x(xs[i]));
            for (; i < xs.Count && double.IsFinite(ys[i]) && Math.Floor(x(xs[i])) == pixel; i++)
            {
                low = ys[i] < ys[low] ? i : low;
                high = ys[i] > ys[high] ? i : high;
            }

            foreach (var point in new[] { first, low, high, i - 1 }.Distinct().Order())
            {
                path.Append(CultureInfo.InvariantCulture, $"{(isDown ? 'L' : 'M')}{x(xs[point]):0.#} {y(ys[point]):0.#}");
                isDown = true;
            }
        }

        return path.ToString();
    }
}
