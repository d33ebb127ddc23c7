using System.Globalization;

namespace Stout.Benchmarks.Grains;

/// <summary>The counts of callers in a time.</summary>
/// <param name="Calls">The calls that were answered.</param>
/// <param name="Failed">The calls that have failed.</param>
/// <param name="Claims">The states that the silo has claimed.</param>
/// <param name="Resumes">The states that the silo has opened without a read.</param>
/// <param name="P99">The 99th percentile of the answered calls' times, in milliseconds.</param>
internal sealed record CallFigures(long Calls, long Failed, long Claims, long Resumes, double P99)
{
    /// <summary>The figures of several silos together. The percentile is that of the slowest one.</summary>
    public static CallFigures Of(IReadOnlyCollection<CallFigures> silos) => new(
        silos.Sum(silo => silo.Calls), silos.Sum(silo => silo.Failed), silos.Sum(silo => silo.Claims), silos.Sum(silo => silo.Resumes), silos.Max(silo => silo.P99));

    public static CallFigures OfLine(string line)
    {
        var parts = line.Split(' ').Select(part => double.Parse(part, CultureInfo.InvariantCulture)).ToList();
        return new CallFigures((long)parts[0], (long)parts[1], (long)parts[2], (long)parts[3], parts[4]);
    }

    public string ToLine() => string.Create(CultureInfo.InvariantCulture, $"{Calls} {Failed} {Claims} {Resumes} {P99}");
}
