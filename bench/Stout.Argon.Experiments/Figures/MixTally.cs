using System.Globalization;
using Stout.Argon.Configuration;

namespace Stout.Argon.Experiments.Figures;

/// <summary>
/// Counts the services of several mixes by status. An insulated service is to keep the fraction R (<c>ArgonOptions.Insulation</c>) of its share × its
/// throughput alone.
/// </summary>
internal sealed class MixTally
{
    /// <summary>The number of services with the status <see cref="ServiceStatus.Insulated"/>.</summary>
    public int Insulated { get; private set; }

    /// <summary>The number of insulated services that keep a fraction of at least R − 0.02.</summary>
    public int Kept { get; private set; }

    /// <summary>The number of insulated services that keep a fraction of less than R − 0.05.</summary>
    public int Missed { get; private set; }

    /// <summary>The number of insulated services that keep a fraction of less than R − 0.05, without a report of it.</summary>
    public int Unreported { get; private set; }

    /// <summary>The number of insulated services that keep at least R, and are reported to have less than their promise.</summary>
    public int FalselyReported { get; private set; }

    /// <summary>The number of services with the status <see cref="ServiceStatus.BestEffort"/>.</summary>
    public int BestEffort { get; private set; }

    /// <summary>The number of services still in a trial at the end of their run.</summary>
    public int Trials { get; private set; }

    /// <summary>The least fraction that an insulated service keeps, minus R.</summary>
    public double Least { get; private set; } = double.PositiveInfinity;

    /// <summary>Runs a mix and counts its services.</summary>
    /// <returns>A line for each insulated service that keeps a fraction of less than R − 0.02.</returns>
    public IReadOnlyList<string> Add(MixFigure mix)
    {
        var lines = new List<string>();
        var rows = mix.Insulated();
        for (var i = 0; i < rows.Count; i++)
        {
            var status = rows[i].Together.Status;
            Trials += status == ServiceStatus.Trial ? 1 : 0;
            BestEffort += status == ServiceStatus.BestEffort ? 1 : 0;
            if (status != ServiceStatus.Insulated)
                continue;
            var kept = rows[i].Fraction / mix.Share(i);
            var beyond = kept - mix.Server.Settings.Insulation;
            Insulated++;
            Kept += beyond >= -0.02 ? 1 : 0;
            Missed += beyond < -0.05 ? 1 : 0;
            Least = Math.Min(Least, beyond);
            var broken = rows[i].Together.Broken;
            Unreported += beyond < -0.05 && !broken ? 1 : 0;
            FalselyReported += beyond >= 0 && broken ? 1 : 0;
            if (beyond < -0.02 || broken)
                lines.Add(FormattableString.Invariant($"{mix.Title}: {rows[i].Together.Name}, share {mix.Share(i):0.000}, {mix.Services[i].InFlight} in flight, keeps {kept:0.000}, {(broken ? "reported" : "not reported")}; {Reports(mix, rows[i], i)}"));
        }

        return lines;
    }

    // The report beside the truth, to find the cause of a miss.
    private static string Reports(MixFigure mix, MixRow row, int service) => string.Create(
        CultureInfo.InvariantCulture,
        $"promised {row.Together.Promised:0.0}, reported {row.Together.Reported:0.0}, had {row.Together.Blocks:0.0} blocks/s; R × share × alone is {mix.Server.Settings.Insulation * mix.Share(service) * row.Alone.Blocks:0.0}; absorbed {row.Together.Absorbed:0.000}, alone {row.Alone.Absorbed:0.000}; partition {row.Together.Partition}, least {row.Together.Least}");
}
