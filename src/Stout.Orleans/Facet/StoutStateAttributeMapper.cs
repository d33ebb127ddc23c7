using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime;
using Orleans.Storage;
using Stout.Orleans.HandOver;
using Stout.Orleans.Storage;

namespace Stout.Orleans.Facet;

/// <summary>Makes the facet for a constructor parameter with <see cref="StoutStateAttribute"/>.</summary>
internal sealed class StoutStateAttributeMapper : IAttributeToFactoryMapper<StoutStateAttribute>
{
    private static readonly MethodInfo CreateMethod =
        typeof(StoutStateAttributeMapper).GetMethod(nameof(Create), BindingFlags.NonPublic | BindingFlags.Static)!;

    /// <inheritdoc/>
    public Factory<IGrainContext, object> GetFactory(ParameterInfo parameter, StoutStateAttribute metadata)
    {
        if (!parameter.ParameterType.IsGenericType || parameter.ParameterType.GetGenericTypeDefinition() != typeof(IStoutState<>))
        {
            throw new ArgumentException(
                $"The parameter '{parameter.Name}' of the constructor of {parameter.Member.DeclaringType} has [StoutState], so its type must be {typeof(IStoutState<>)}.",
                parameter.Name);
        }

        var create = CreateMethod.MakeGenericMethod(parameter.ParameterType.GetGenericArguments())
            .CreateDelegate<Func<StoutStateAttribute, IGrainContext, object>>();
        return context => create(metadata, context);
    }

    private static StoutState<T> Create<T>(StoutStateAttribute metadata, IGrainContext context)
        where T : class
    {
        var name = metadata.StorageName;
        var storage = string.IsNullOrWhiteSpace(name)
            ? context.ActivationServices.GetService<IGrainStorage>()
            : context.ActivationServices.GetKeyedService<IGrainStorage>(name);
        if (storage is not StoutGrainStorage stout)
        {
            throw new BadProviderConfigException(
                $"The state '{metadata.StateName}' of the grain type {context.GrainId.Type} asks for {(name is null ? "the default grain storage" : $"the grain storage '{name}'")}, "
                + (storage is null ? "which does not exist. Add it with AddStoutGrainStorage." : "which is no Stout grain storage."));
        }

        var state = new StoutState<T>(stout, context, metadata, context.ActivationServices.GetRequiredService<HandOverFormat>());
        state.Participate(context.ObservableLifecycle);
        StateFacets.Add(context, state);
        return state;
    }
}
