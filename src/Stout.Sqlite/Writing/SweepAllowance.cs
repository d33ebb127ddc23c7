using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>
/// The sweeping limit of one transaction. It bounds a batch's wait for the sweeper, and grows with the batch's own writes, so that sweeping keeps up
/// with writing.
/// </summary>
/// <remarks>
/// The unit is a row with less than 2 KiB of value. SQLite visits every page of a removed value, so a row costs 1, plus 1 for each 2 KiB of its value. A
/// transaction sweeps up to twice its own writes, so garbage never accumulates under steady writing. On a slow disk the time ends the sweep first (<see
/// cref="SweepBacklog.LongestWait"/>).
/// </remarks>
/// <param name="perTransaction">The base allowance of every transaction.</param>
internal sealed class SweepAllowance(int perTransaction)
{
    /// <summary>The default base allowance. At some 3 µs a row it delays a batch by less than 1 ms.</summary>
    public const int DefaultPerTransaction = 64;

    private const int PerUnitWritten = 2;

    private long _left;
    private TimeSpan _time;

    /// <summary>Whether the allowance is not used up.</summary>
    public bool IsLeft => _left > 0 && IsTimeLeft;

    /// <summary>Whether the sweep may still delay the transaction.</summary>
    public bool IsTimeLeft => _time < SweepBacklog.LongestWait;

    /// <summary>The remaining allowance, for a LIMIT clause.</summary>
    public int Left => (int)Math.Clamp(_left, 0, int.MaxValue);

    /// <summary>Resets the allowance at the start of a transaction.</summary>
    public void Begin() => (_left, _time) = (perTransaction, TimeSpan.Zero);

    /// <summary>Raises the allowance by twice the cost of the written parts.</summary>
    public void Earn(ReadOnlySpan<PartWrite> parts)
    {
        foreach (ref readonly var part in parts)
            _left += PerUnitWritten * CostOf(part.Value.Length);
    }

    /// <summary>Charges a removed row with a value of this many bytes. The last row may exceed the allowance.</summary>
    public void Spend(long bytes) => _left -= CostOf(bytes);

    /// <summary>Charges the time of a removal.</summary>
    public void Spend(TimeSpan time) => _time += time;

    private static long CostOf(long bytes) => 1 + (bytes / Layout.PageBytes);
}
