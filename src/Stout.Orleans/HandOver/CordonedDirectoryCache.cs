using System.Diagnostics.CodeAnalysis;
using Orleans.Runtime;
using Orleans.Runtime.GrainDirectory;

namespace Stout.Orleans.HandOver;

/// <summary>
/// A silo's cache of the places of grains, without those on a silo that its grains have left. Orleans keeps such places until the silo is dead, and a stopping
/// silo rejects the calls that come meanwhile.
/// </summary>
internal sealed class CordonedDirectoryCache(IGrainDirectoryCache inner, Cordon cordon) : IGrainDirectoryCache
{
    /// <inheritdoc/>
    public IEnumerable<(GrainAddress ActivationAddress, int Version)> KeyValues => inner.KeyValues;

    /// <inheritdoc/>
    public void AddOrUpdate(GrainAddress value, int version) => inner.AddOrUpdate(value, version);

    /// <inheritdoc/>
    public bool Remove(GrainId key) => inner.Remove(key);

    /// <inheritdoc/>
    public bool Remove(GrainAddress key) => inner.Remove(key);

    /// <inheritdoc/>
    public void Clear() => inner.Clear();

    /// <inheritdoc/>
    public bool LookUp(GrainId key, [NotNullWhen(true)] out GrainAddress? result, out int version)
    {
        if (!inner.LookUp(key, out result, out version))
            return false;
        if (cordon.IsEmpty || result.SiloAddress is not { } silo || !cordon.IsLeft(silo))
            return true;
        inner.Remove(key);
        (result, version) = (null, 0);
        return false;
    }
}
