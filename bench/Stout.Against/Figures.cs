using System.Globalization;

namespace Stout.Against;

/// <summary>The figures of one turn, as the turn's process prints them.</summary>
/// <param name="Rate">Durable updates per second.</param>
/// <param name="Processor">Processor time of the process per update, in microseconds.</param>
/// <param name="Bytes">Bytes allocated on the heap per update.</param>
internal readonly record struct Figures(double Rate, double Processor, double Bytes)
{
    public static Figures Parse(string line)
    {
        var numbers = line.Split(' ').Select(number => double.Parse(number, CultureInfo.InvariantCulture)).ToList();
        return new Figures(numbers[0], numbers[1], numbers[2]);
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Rate:0.0} {Processor:0.000} {Bytes:0.0}");
}
