using System.Diagnostics.CodeAnalysis;
using Orleans.Metadata;
using Orleans.Runtime;
using Stout.Orleans.HandOver;
using Stout.Orleans.Storage;

namespace Stout.Orleans.Hosting;

/// <summary>
/// Configures activations with states in this package's providers. These activations close their keys after their own deactivation, and hand them over
/// when the grain migrates. A stateless worker owns and hands over nothing.
/// </summary>
internal sealed class StateConfigurator(StatefulClasses classes, StatelessWorkers workers, HandOverFormat format) : IConfigureGrainContextProvider, IConfigureGrainContext
{
    /// <inheritdoc/>
    public bool TryGetConfigurator(GrainType grainType, GrainProperties properties, [NotNullWhen(true)] out IConfigureGrainContext? configurator)
    {
        configurator = classes.HasStates(grainType) && workers.ClassOf(grainType) is null ? this : null;
        return configurator is not null;
    }

    /// <inheritdoc/>
    public void Configure(IGrainContext context) => ActivationKeys.Configure(context, format);
}
