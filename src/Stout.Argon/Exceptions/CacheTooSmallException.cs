namespace Stout.Argon.Exceptions;

/// <summary>The cache has no space for one more service.</summary>
public sealed class CacheTooSmallException(int services) : ArgonException($"The cache is too small for more than {services} services: each takes 256 KiB. Enlarge the cache.")
{
    /// <summary>The number of services that the cache holds.</summary>
    public int Services { get; } = services;
}
