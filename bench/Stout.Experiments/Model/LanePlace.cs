using Stout.Experiments.Model.Stores;

namespace Stout.Experiments.Model;

/// <summary>Where a lane is: in which middle tier, before which store partition, in which run.</summary>
/// <param name="Tier">The middle tier, from 0: the store's connection too.</param>
/// <param name="Partition">The store partition, from 0.</param>
/// <param name="Kind">The kind of store.</param>
/// <param name="Store">The partition's model.</param>
/// <param name="Objects">The objects behind the lane's keys.</param>
/// <param name="Events">The run's.</param>
/// <param name="Recorder">The run's.</param>
internal sealed record LanePlace(
    int Tier, int Partition, StoreKind Kind, IStoreModel Store, IModelObjects Objects, EventQueue Events, ModelRecorder Recorder);
