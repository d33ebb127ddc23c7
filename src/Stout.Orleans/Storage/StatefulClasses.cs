using System.Diagnostics.CodeAnalysis;
using Orleans.Metadata;
using Orleans.Runtime;
using Stout.Orleans.Hosting;

namespace Stout.Orleans.Storage;

/// <summary>Tells which grain types have a state in one of this package's providers.</summary>
internal sealed class StatefulClasses(GrainClassMap classes, IEnumerable<StoutStorageName> names)
{
    private readonly HashSet<string> _names = [.. names.Select(name => name.Name)];

    /// <summary>Whether the class of a grain type declares such a state.</summary>
    public bool HasStates(GrainType grainType) =>
        TryGetClass(grainType, out var grainClass) && DeclaredStates.Of(grainClass).Check(grainClass, _names).Any(_names.Contains);

    /// <summary>The class of a grain type, if this silo has it.</summary>
    public bool TryGetClass(GrainType grainType, [NotNullWhen(true)] out Type? grainClass) => classes.TryGetGrainClass(grainType, out grainClass);
}
