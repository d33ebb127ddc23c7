namespace Replicas.Tests.Torture;

/// <summary>
/// A second, simple check in addition to the checker: counters that clients only add to. Each acknowledged addition counts once, and an addition of
/// unknown outcome counts at most once.
/// </summary>
internal sealed class Counters(int count)
{
    private readonly long[] _acknowledged = new long[count];
    private readonly long[] _unknown = new long[count];

    public int Count => count;

    public static string Key(int counter) => $"counter {counter}";

    public void NoteAcknowledged(int counter) => Interlocked.Increment(ref _acknowledged[counter]);

    public void NoteUnknown(int counter) => Interlocked.Increment(ref _unknown[counter]);

    /// <summary>The error in a counter's last value; null if the value is right.</summary>
    public string? Judge(int counter, long stored) =>
        stored < _acknowledged[counter] ? $"{Key(counter)} holds {stored}; {_acknowledged[counter]} additions were acknowledged"
        : stored > _acknowledged[counter] + _unknown[counter] ? $"{Key(counter)} holds {stored}; {_acknowledged[counter]} additions were acknowledged, {_unknown[counter]} have an unknown outcome"
        : null;
}
