namespace Stout.Argon.Exceptions;

/// <summary>A service's objects would exceed its quota (<c>mostBytes</c> of <see cref="ArgonServer.AddService"/>). The call has changed nothing.</summary>
public sealed class QuotaExceededException(string service, long quota) : ArgonException($"The objects of the service '{service}' may take {quota} bytes on the disks. Delete or shorten some of them, or raise the quota.")
{
    /// <summary>The service that created the object.</summary>
    public string Service { get; } = service;

    /// <summary>The quota in bytes.</summary>
    public long Quota { get; } = quota;
}
