using System.Globalization;
using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Recordings;

namespace Stout.Director.Tool.Commands;

/// <summary>Writes decisions as sentences for operators.</summary>
internal static class Explanations
{
    public static IEnumerable<string> Of(Recording recording, Predicate<TimeSpan> isWanted, int? bin, int? server)
    {
        var any = false;
        foreach (var step in recording.Replay().Where(step => isWanted(step.At) && (step.Decision is not null || step.Refused is not null)))
        {
            any = true;
            var time = Time(recording.StartedAt, step.At);
            if (step.Decision is not { } decision)
            {
                yield return $"At {time} the Director refused the observation, and planned nothing: {step.Refused}";
                continue;
            }

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

    // The date and the time of day, if the recording knows when it began; else the time since then.
    private static string Time(DateTimeOffset? startedAt, TimeSpan at) => startedAt is { } start
        ? (start + at).ToUniversalTime().ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture)
        : at.ToString(at.Days > 0 ? @"d\.hh\:mm\:ss" : @"hh\:mm\:ss", CultureInfo.InvariantCulture);

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
