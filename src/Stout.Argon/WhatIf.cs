namespace Stout.Argon;

/// <summary>A hypothetical change for <see cref="ArgonServer.Forecast"/>.</summary>
public sealed record WhatIf
{
    /// <summary>
    /// Another size of the cache, in bytes; null keeps the present size. The profiles cover sizes up to the present one, so the gain of a larger cache is
    /// unknown.
    /// </summary>
    public long? CacheBytes { get; init; }

    /// <summary>Other weights of services. A service that is not among the keys keeps its weight.</summary>
    public IReadOnlyDictionary<ArgonService, double> Weights { get; init; } = new Dictionary<ArgonService, double>();

    /// <summary>The existing service whose access pattern an added service has; null adds no service. The forecast of the added service comes last.</summary>
    public ArgonService? NewcomerLike { get; init; }

    /// <summary>The new service's weight; 1 by default.</summary>
    public double NewcomerWeight { get; init; } = 1;
}
