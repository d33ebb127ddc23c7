using Stout.Experiments.Workloads;
using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>A pacing law to choose by name.</summary>
/// <param name="Name">As the command line and the tables have it.</param>
/// <param name="Create">
/// Makes a new one. Its argument is the interval to begin with, in milliseconds; null for the law's own. A law that has no such thing
/// begins as it likes.
/// </param>
/// <param name="Scope">The law's scope in every experiment; null for the experiment's own.</param>
/// <param name="Adapts">False: it does the same from beginning to end.</param>
internal sealed record PacingChoice(string Name, Func<double?, IPacingLaw> Create, LawScope? Scope = null, bool Adapts = true)
{
    public override string ToString() => Name;
}
