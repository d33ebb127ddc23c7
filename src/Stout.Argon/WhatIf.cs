namespace Stout.Argon;

/// <summary>A change that <see cref="ArgonServer.Forecast"/> answers for.</summary>
public sealed record WhatIf
{
    /// <summary>Another size of the cache, in bytes; null keeps it. Profiles know sizes up to the present one, so a larger cache's gain is not known.</summary>
    public long? CacheBytes { get; init; }

    /// <summary>Other weights of services.</summary>
    public IReadOnlyDictionary<ArgonService, double> Weights { get; init; } = new Dictionary<ArgonService, double>();

    /// <summary>A newcomer with the pattern of a service that is there; null for none. Its forecast stands last.</summary>
    public ArgonService? NewcomerLike { get; init; }

    /// <summary>The newcomer's weight; 1 by default.</summary>
    public double NewcomerWeight { get; init; } = 1;
}
