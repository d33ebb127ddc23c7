using Orleans.Concurrency;
using Orleans.Runtime;

namespace Stout.Orleans;

/// <summary>
/// A grain of a class with <see cref="StatelessWorkerAttribute"/> used its state as an owner. It wrote or cleared the state, or asked for its epoch or a
/// confirmation. Several workers share one state, so no worker owns it. Nothing was written. Write the state in a grain of another class, or set <see
/// cref="StoutGrainStorageOptions.Ownership"/> to <see cref="GrainOwnership.None"/>, where ETags alone protect a state. A facet is always read-only in a
/// stateless worker.
/// </summary>
[GenerateSerializer]
[Alias("Stout.Orleans.StatelessWorkerStateException")]
public sealed class StatelessWorkerStateException : GrainStateException
{
    /// <summary>Reports a stateless worker that can't own its state.</summary>
    /// <param name="stateName">The name of the state.</param>
    /// <param name="grainId">The grain.</param>
    /// <param name="grainClass">The worker's class.</param>
    public StatelessWorkerStateException(string stateName, GrainId grainId, Type grainClass)
        : base(
            $"The state '{stateName}' of the grain {grainId} was not written: {grainClass} is a stateless worker, and several workers share the state, so no worker owns it.",
            stateName,
            grainId,
            null)
    {
        GrainClass = grainClass.FullName ?? grainClass.Name;
    }

    /// <summary>The full name of the worker's class.</summary>
    [Id(0)]
    public string GrainClass { get; private set; }
}
