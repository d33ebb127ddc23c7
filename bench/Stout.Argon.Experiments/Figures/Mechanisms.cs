using Stout.Argon.Engine;

namespace Stout.Argon.Experiments.Figures;

/// <summary>Runs a figure of the paper with every subset of Argon's three mechanisms: amortization, cache partitions and quanta.</summary>
internal static class Mechanisms
{
    /// <summary>The sets of mechanisms, beginning with the empty set.</summary>
    public static IReadOnlyList<(string Name, Func<CoreSettings, CoreSettings> Set)> All { get; } =
    [
        .. from amortization in new[] { false, true }
           from partitions in new[] { false, true }
           from quanta in new[] { false, true }
           orderby (amortization ? 1 : 0) + (partitions ? 1 : 0) + (quanta ? 1 : 0)
           select (NameOf(amortization, partitions, quanta), Setting(amortization, partitions, quanta)),
    ];

    /// <summary>
    /// Runs the figure's services with a set of mechanisms. A service's fraction compares its throughput among the others with its throughput alone, with the
    /// same set.
    /// </summary>
    public static IReadOnlyList<MixRow> Run(MixFigure figure, Func<CoreSettings, CoreSettings> set) =>
        MixFigure.Run(figure.Server with { Settings = set(figure.Server.Settings) }, figure.Services);

    private static Func<CoreSettings, CoreSettings> Setting(bool amortization, bool partitions, bool quanta) =>
        settings => settings with { Amortization = amortization, Partitions = partitions, Scheduler = settings.Scheduler with { Quanta = quanta } };

    private static string NameOf(bool amortization, bool partitions, bool quanta)
    {
        string[] names = [.. amortization ? ["amortization"] : Array.Empty<string>(), .. partitions ? ["partitions"] : Array.Empty<string>(), .. quanta ? ["quanta"] : Array.Empty<string>()];
        return names.Length == 0 ? "none" : string.Join(" + ", names);
    }
}
