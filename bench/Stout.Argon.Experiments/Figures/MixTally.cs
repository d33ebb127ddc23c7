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
            if (beyond < -0.02)
                lines.Add(FormattableString.Invariant($"{mix.Title}: {rows[i].Together.Name}, share {mix.Share(i):0.000}, {mix.Services[i].InFlight} in flight, keeps {kept:0.000}"));
        }

        return lines;
    }
}
