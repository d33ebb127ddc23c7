using System.Globalization;
using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Recordings;

namespace Stout.Director.Tool.Commands;

/// <summary>Writes decisions as sentences for operators.</summary>
internal static class Explanations
{
    public static IEnumerable<string> Of(Recording recording, Predicate<TimeSpan> isWanted, TimeSpan origin, int? bin, int? server)
    {
        var any = false;
        foreach (var decision in recording.Replay().Where(step => isWanted(step.At)).Select(step => step.Decision).OfType<Decision>())
        {
            any = true;
            var time = (decision.At + origin).ToString(@"hh\:mm\:ss", CultureInfo.InvariantCulture);
            var actions = decision.Actions.Where(action => (bin is null || action.Bins.Contains(bin.Value)) && (server is null || action.From == server || action.To == server)).ToList();
            yield return decision.Findings.Any(finding => finding.Kind == FindingKind.NoReports)
                ? $"At {time}:"
                : FormattableString.Invariant($"At {time} the load was that of {decision.Load:0.0} fully loaded servers, overprovisioning included; {decision.Servers} servers were live, and {decision.Reserve} empty ones were to be kept ready.");
            foreach (var finding in decision.Findings)
                yield return "  " + finding.Text;
            foreach (var line in Sentences(actions))
                yield return line;
            if (actions.Count == 0)
                yield return bin is null && server is null ? "  Nothing was to be done." : "  Nothing was done to it.";
        }

        if (!any)
            yield return "No plan was made at that time.";
    }

    // Actions of the same kind and reason are written once, with their number.
    private static IEnumerable<string> Sentences(List<DirectorAction> actions)
    {
        foreach (var group in actions.GroupBy(action => (action.Kind, action.Reason.Predicate)))
        {
            var first = group.First();
            var count = group.Count();
            yield return $"  {Capital(first.ToString())}{(count > 1 ? $" ({count} times)" : "")}.";
            yield return $"    Why: {first.Reason}";
        }
    }

    private static string Capital(string text) => char.ToUpperInvariant(text[0]) + text[1..];
}
