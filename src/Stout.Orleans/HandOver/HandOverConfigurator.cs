using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Orleans.Metadata;
using Orleans.Placement;
using Orleans.Runtime;
using Stout.Orleans.Storage;

namespace Stout.Orleans.HandOver;

/// <summary>Has the activations of the chosen grains take part in the hand-over.</summary>
internal sealed class HandOverConfigurator(StatefulClasses classes, StatelessWorkers workers, HandOverMembers members)
    : IConfigureGrainContextProvider, IConfigureGrainContext
{
    /// <inheritdoc/>
    public bool TryGetConfigurator(GrainType grainType, GrainProperties properties, [NotNullWhen(true)] out IConfigureGrainContext? configurator)
    {
        var takesPart = classes.TryGetClass(grainType, out var grainClass)
            && !OrleansOwn.IsOne(grainClass.FullName)
            && grainClass.GetCustomAttribute<ImmovableAttribute>() is not { Kind: ImmovableKind.Any }
            && workers.ClassOf(grainType) is null
            && (members.Options.Grains == HandOverGrains.Application || classes.HasStates(grainType));
        configurator = takesPart ? this : null;
        return takesPart;
    }

    /// <inheritdoc/>
    public void Configure(IGrainContext context)
    {
        var member = new HandOverMember(context, members);
        // The first stage stops last, after the states are closed. Orleans configures the activation before it makes the grain with its states, so the
        // member precedes them in a migration: see OnDehydrate.
        context.ObservableLifecycle.Subscribe(nameof(HandOverMember), GrainLifecycleStage.First, member);
        context.ObservableLifecycle.AddMigrationParticipant(member);
    }
}
