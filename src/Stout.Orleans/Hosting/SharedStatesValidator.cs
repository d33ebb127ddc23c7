using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Runtime;
using Stout.Orleans.Storage;

namespace Stout.Orleans.Hosting;

/// <summary>Checks when the silo starts that no grain class declares one state in two providers with the same keys.</summary>
internal sealed class SharedStatesValidator(KeySpaces spaces, IOptions<GrainTypeOptions> grains) : IConfigurationValidator
{
    /// <inheritdoc/>
    public void ValidateConfiguration()
    {
        foreach (var space in spaces.Shared)
        {
            foreach (var grainClass in grains.Value.Classes)
            {
                if (DeclaredStates.Of(grainClass).SharedIn(space.Providers) is { } state)
                {
                    throw new OrleansConfigurationException(
                        $"The grain class {grainClass.FullName} declares the state '{state.StateName}' in the storages '{state.Provider}' and '{state.Other}', which have the same keys. "
                        + $"Give the states names of their own, or set {nameof(StoutGrainStorageOptions.KeyPrefix)} of a new storage.");
                }
            }
        }
    }
}
