namespace SectionedDocuments.Tests.Durability;

/// <summary>A system call in a trace.</summary>
/// <param name="Name">The call's name.</param>
/// <param name="File">The file of its first argument, a file descriptor: a path, or "socket:[…]".</param>
/// <param name="Data">The bytes that the call wrote or read, as far as they were traced.</param>
/// <param name="Result">The returned value; null if the call did not return.</param>
/// <param name="Entered">The line of the trace at which the call was entered.</param>
/// <param name="Returned">The line of the trace at which the call had returned.</param>
internal sealed record SystemCall(string Name, string File, byte[] Data, long? Result, int Entered, int Returned)
{
    /// <summary>The position in the file at which a pwrite64 wrote; 0 for other calls.</summary>
    public long Offset { get; init; }

    public bool IsSync => Name is "fdatasync" or "fsync" && Result == 0;

    public bool IsRead => Name is "read" or "readv" or "recvfrom" or "recvmsg" && Result > 0;

    public bool IsWrite => Name is "write" or "writev" or "pwrite64" or "sendto" or "sendmsg";

    public bool IsOnSocket => File.StartsWith("socket:", StringComparison.Ordinal) || File.StartsWith("TCP", StringComparison.Ordinal);

    public bool IsOnLog => File.EndsWith("-wal", StringComparison.Ordinal);

    public bool Contains(ReadOnlySpan<byte> bytes) => Data.AsSpan().IndexOf(bytes) >= 0;
}
