using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>
/// How much one transaction may sweep. It bounds how long a batch waits for the sweeper, and it grows with what the batch
/// writes, so that sweeping keeps up with writing.
/// </summary>
/// <remarks>
/// The unit is a row with 4 KiB of value. SQLite visits every page of a removed value, so a row costs 1 and 1 for each page.
/// A transaction sweeps up to twice what it writes. Therefore stored rows grow only while there is no garbage.
/// </remarks>
/// <param name="perTransaction">What every transaction may sweep, even if it writes nothing.</param>
internal sealed class SweepAllowance(int perTransaction)
{
    /// <summary>What a transaction that writes nothing may sweep by default. At some 3 µs a row, a batch waits under 1 ms for it.</summary>
    public const int DefaultPerTransaction = 64;

    private const int PerUnitWritten = 2;

    private long _left;

    /// <summary>Whether the transaction may sweep more.</summary>
    public bool IsLeft => _left > 0;

    /// <summary>What is left, for a LIMIT.</summary>
    public int Left => (int)Math.Clamp(_left, 0, int.MaxValue);

    /// <summary>A transaction begins.</summary>
    public void Begin() => _left = perTransaction;

    /// <summary>The transaction writes these parts.</summary>
    public void Earn(ReadOnlySpan<PartWrite> parts)
    {
        foreach (ref readonly var part in parts)
            _left += PerUnitWritten * CostOf(part.Value.Length);
    }

    /// <summary>The transaction removes a row with a value of this many bytes. The last row may exceed what is left.</summary>
    public void Spend(long bytes) => _left -= CostOf(bytes);

    private static long CostOf(long bytes) => 1 + (bytes / Layout.PageBytes);
}
