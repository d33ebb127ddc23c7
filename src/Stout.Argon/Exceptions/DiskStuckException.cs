namespace Stout.Argon.Exceptions;

/// <summary>
/// A disk did not answer a request within <see cref="ArgonOptions.IoTimeLimit"/> during the server's disposal. Writes that were not flushed may be lost. The
/// disk's folder stays locked until the process ends, since the request may still write to it.
/// </summary>
public sealed class DiskStuckException(string folder) : ArgonException("A disk does not answer, so the disposal ended without it. End the process, and check the disk.")
{
    /// <summary>The disk's folder.</summary>
    public string Folder { get; } = folder;
}
