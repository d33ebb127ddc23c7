using Stout.Experiments.Workloads;
using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>A pacing law to choose by name.</summary>
/// <param name="Name">The name on the command line and in tables.</param>
/// <param name="Create">
/// Makes a new law. The argument is the first interval in milliseconds; null for the law's default. A law without a first interval ignores the argument.
/// </param>
/// <param name="Scope">The law's scope in every experiment; null for the experiment's own.</param>
/// <param name="Adapts">Whether the law adapts; otherwise it behaves the same from beginning to end.</param>
internal sealed record PacingChoice(string Name, Func<double?, IPacingLaw> Create, LawScope? Scope = null, bool Adapts = true)
{
    public override string ToString() => Name;
}
