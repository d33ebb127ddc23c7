using System.Collections.Concurrent;
using Orleans.Concurrency;
using Orleans.Metadata;
using Orleans.Runtime;

namespace Stout.Orleans.Storage;

/// <summary>Tells which grain types are stateless workers.</summary>
internal sealed class StatelessWorkers(GrainClassMap classes)
{
    private readonly ConcurrentDictionary<GrainType, Type?> _classes = new();

    /// <summary>The class of a type of stateless workers; null for any other type.</summary>
    public Type? ClassOf(GrainType type) => _classes.TryGetValue(type, out var known) ? known : _classes.GetOrAdd(type, Find(type));

    private Type? Find(GrainType type) =>
        classes.TryGetGrainClass(type, out var grainClass) && grainClass.IsDefined(typeof(StatelessWorkerAttribute), inherit: true) ? grainClass : null;
}
