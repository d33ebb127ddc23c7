using Stout.Orleans.Chaos.Load;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Checks;

/// <summary>Compares the answers about one document with the values that the store holds in the end.</summary>
internal sealed class DocumentCheck(DocumentRecord record, IReadOnlyList<string> log)
{
    /// <summary>Describes each contradiction between the answers and the store.</summary>
    public IEnumerable<string> Violations() => [.. Writes(), .. Reads(), .. EndSaves(), .. Owners()];

    /// <summary>The number of reads from memory that did not see a write which had been acknowledged before the read was sent.</summary>
    public int CountStale()
    {
        var read = record.Observations.Where(one => one is { Written: null, IsConfirmed: false });
        return Sweep.LargestBefore(record.Observations, read).Count(pair => pair.Before > pair.Observation.View.Length);
    }

    private IEnumerable<string> Writes()
    {
        foreach (var value in log.GroupBy(value => value).Where(group => group.Count() > 1).Select(group => group.Key))
            yield return $"the write of {value} took effect twice";
        var known = log.ToHashSet();
        foreach (var value in known.Where(value => !record.Writes.ContainsKey(value)))
            yield return $"the value {value} was never written";
        foreach (var (value, outcome) in record.Writes)
        {
            if (outcome == Outcome.Done && !known.Contains(value))
                yield return $"the acknowledged write of {value} is lost";
            else if (outcome == Outcome.NotDone && known.Contains(value))
                yield return $"the write of {value} took effect, and the client was told that it was not done";
        }
    }

    private IEnumerable<string> Reads()
    {
        foreach (var seen in record.Observations)
        {
            var stored = seen.View.Length == 0 ? null : log.ElementAtOrDefault(seen.View.Length - 1);
            if (stored != seen.View.Value)
                yield return $"a {(seen.Written is null ? "read" : "write")} saw the value {seen.View.Value} at place {seen.View.Length}, which the store does not hold there: {seen}";
            if (seen.Written is not null && log.ElementAtOrDefault(seen.View.Length) != seen.Written)
                yield return $"the acknowledged write of {seen.Written} is not at its place: {seen}";
        }

        foreach (var owner in record.Observations.GroupBy(one => one.View.Owner))
        {
            foreach (var (later, before) in Sweep.LargestBefore([.. owner], owner))
            {
                if (later.View.Length < before)
                    yield return $"an owner went back from length {before} to {later.View.Length}: {later}";
            }
        }
    }

    private IEnumerable<string> EndSaves() =>
        record.Saves.Where(save => !save.IsRefused && !log.Contains(save.Value)).Select(save => $"the value {save.Value}, which a grain saved when its silo left, is lost. {save.Error}");

    /// <summary>Finds acknowledged writes that were sent to an owner after a newer owner had claimed the document.</summary>
    private IEnumerable<string> Owners()
    {
        var claims = record.Observations.Select(one => (one.View.Before, one.View.After)).Distinct().OrderBy(claim => claim.Before).ToArray();
        var firstAfter = new long[claims.Length + 1];
        firstAfter[^1] = long.MaxValue;
        for (var i = claims.Length - 1; i >= 0; i--)
            firstAfter[i] = Math.Min(firstAfter[i + 1], claims[i].After);
        foreach (var write in record.Observations.Where(one => one.Written is not null))
        {
            var newer = Array.FindIndex(claims, claim => claim.Before > write.View.After);
            if (newer >= 0 && firstAfter[newer] < write.Invoked)
                yield return $"a write of a former owner was acknowledged: {write}";
        }
    }
}
