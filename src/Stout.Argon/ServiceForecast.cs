namespace Stout.Argon;

/// <summary>The forecast of one service.</summary>
/// <param name="Service">The service; for a newcomer the one whose pattern it has.</param>
/// <param name="Insulated">The promise could be kept.</param>
/// <param name="Share">Its share of the server.</param>
/// <param name="PartitionBytes">Its part of the cache.</param>
/// <param name="NeededBytes">The least part for R; null where the whole cache does not do.</param>
/// <param name="FractionOfAlone">Its throughput over that with the server to itself, by the model: the promise is R × share at least.</param>
public sealed record ServiceForecast(ArgonService Service, bool Insulated, double Share, long PartitionBytes, long? NeededBytes, double FractionOfAlone);
