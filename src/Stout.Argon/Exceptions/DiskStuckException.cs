namespace Stout.Argon.Exceptions;

/// <summary>
/// A disk did not answer a request within <see cref="ArgonOptions.IoTimeLimit"/> during the disposal of a server or a handle, or the removal of a service.
/// Writes that were not flushed may be lost. After a server's disposal the disk's folder stays locked until the process ends, since the request may still
/// write to it. The disposal of a handle, and the removal of a service, continue if the disk answers later.
/// </summary>
public sealed class DiskStuckException(string folder) : ArgonException(
    "A disk does not answer, so the disposal or removal ended without it. Check the disk. After the server's disposal, end the process to unlock the disk's folder.")
{
    /// <summary>The disk's folder.</summary>
    public string Folder { get; } = folder;
}
