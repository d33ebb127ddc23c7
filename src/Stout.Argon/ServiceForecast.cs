namespace Stout.Argon;

/// <summary>The forecast of one service.</summary>
/// <param name="Service">The service; for a new service the one with the same pattern.</param>
/// <param name="Insulated">Whether the service would keep R × share of the throughput that it has alone.</param>
/// <param name="Share">The service's share of the server.</param>
/// <param name="PartitionBytes">The service's part of the cache.</param>
/// <param name="NeededBytes">The smallest part of the cache that suffices for R; null if the whole cache would not suffice.</param>
/// <param name="FractionOfAlone">The service's modeled throughput, relative to a server of its own. The promise is at least R × share.</param>
public sealed record ServiceForecast(ArgonService Service, bool Insulated, double Share, long PartitionBytes, long? NeededBytes, double FractionOfAlone);
