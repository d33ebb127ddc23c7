namespace Stout.SqlServer.Client;

/// <summary>The form of owners in the tables: the epoch, and the claim's 16 bytes, which are zero without a claim.</summary>
internal static class StoredOwner
{
    public const int ClaimBytes = 16;

    /// <summary>Sets a claim in a record.</summary>
    public static void Set(this RecordWriter row, int ordinal, Guid claim)
    {
        Span<byte> bytes = stackalloc byte[ClaimBytes];
        claim.TryWriteBytes(bytes, bigEndian: true, out _);
        row.Set(ordinal, (ReadOnlySpan<byte>)bytes);
    }
}
