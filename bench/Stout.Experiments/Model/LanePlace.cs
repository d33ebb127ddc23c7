using Stout.Experiments.Model.Stores;

namespace Stout.Experiments.Model;

/// <summary>Where a lane is: in which middle tier, before which store partition, in which run.</summary>
/// <param name="Tier">The number of the middle tier, from 0; also the number of the lane's connection to the store.</param>
/// <param name="Partition">The store partition, from 0.</param>
/// <param name="Kind">The kind of store.</param>
/// <param name="Store">The partition's model.</param>
/// <param name="Objects">The objects behind the lane's keys.</param>
/// <param name="Events">The run's events.</param>
/// <param name="Recorder">The run's recorder.</param>
internal sealed record LanePlace(
    int Tier, int Partition, StoreKind Kind, IStoreModel Store, IModelObjects Objects, EventQueue Events, ModelRecorder Recorder);
