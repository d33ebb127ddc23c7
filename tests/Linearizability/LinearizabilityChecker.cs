namespace Linearizability;

/// <summary>
/// Checks histories of registers for linearizability. Linearizability is local (Herlihy and Wing, 1990): a history is linearizable if and only if each
/// register's part of it is. So each register is checked by itself.
/// </summary>
public static class LinearizabilityChecker
{
    /// <summary>
    /// The default bound on the steps of a search. A search of 4,000,000 steps takes some seconds and some 200 MiB. Linearizable histories of a thousand
    /// operations take a few thousand steps.
    /// </summary>
    public const long DefaultMaxSteps = 4_000_000;

    /// <summary>Checks each register of a history.</summary>
    /// <param name="history">The operations, in any order.</param>
    /// <param name="maxSteps">The largest number of steps in the search of one register.</param>
    /// <returns>A verdict for each register.</returns>
    public static IReadOnlyList<Verdict> Check(IEnumerable<Operation> history, long maxSteps = DefaultMaxSteps) =>
        [.. history.GroupBy(operation => operation.Key, StringComparer.Ordinal).Select(register => Check(register.Key, [.. register], maxSteps))];

    private static Verdict Check(string key, IReadOnlyList<Operation> operations, long maxSteps)
    {
        var search = new RegisterSearch(operations);
        var result = search.Run(maxSteps);
        return new Verdict(key, result, operations.Count, result == Linearizable.No ? search.Explain() : "");
    }
}
