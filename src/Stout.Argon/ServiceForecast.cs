namespace Stout.Argon;

/// <summary>The forecast of one service after a hypothetical change. R is <see cref="ArgonOptions.Insulation"/>.</summary>
/// <param name="Service">The service; for a new service, the existing one with the same access pattern (<see cref="WhatIf.NewcomerLike"/>).</param>
/// <param name="Insulated">Whether the service would keep R × <paramref name="Share"/> of the throughput that it would have alone on the server.</param>
/// <param name="Share">The service's share of the server's time, from 0 to 1.</param>
/// <param name="PartitionBytes">The service's part of the cache.</param>
/// <param name="NeededBytes">The smallest part of the cache with which the service is insulated; null if the whole cache would not suffice.</param>
/// <param name="FractionOfAlone">The service's modeled throughput, divided by the throughput that it would have alone on the server. An insulated service
/// gets at least R × <paramref name="Share"/>.</param>
public sealed record ServiceForecast(ArgonService Service, bool Insulated, double Share, long PartitionBytes, long? NeededBytes, double FractionOfAlone);
