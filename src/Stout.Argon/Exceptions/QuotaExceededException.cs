namespace Stout.Argon.Exceptions;

/// <summary>
/// The space of a service's objects would exceed its quota. Nothing was allocated or changed; delete objects of the service, or raise
/// <see cref="ArgonService.QuotaBytes"/>.
/// </summary>
public sealed class QuotaExceededException(long quotaBytes) : ArgonException("The space of the service's objects would exceed its quota. Nothing was changed: delete objects, or raise the quota.")
{
    /// <summary>The quota, in bytes.</summary>
    public long QuotaBytes { get; } = quotaBytes;
}
