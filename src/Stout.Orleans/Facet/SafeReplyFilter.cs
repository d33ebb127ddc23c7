using System.Collections.Concurrent;
using System.Reflection;
using Orleans.Metadata;
using Orleans.Runtime;

namespace Stout.Orleans.Facet;

/// <summary>Holds the reply of each call of a grain with facets until what the call saw and did is durable: the paper's SendMessageWhenSafe.</summary>
internal sealed class SafeReplyFilter(GrainClassMap classes) : IIncomingGrainCallFilter
{
    private readonly ConcurrentDictionary<GrainType, bool> _haveFacets = new();

    /// <inheritdoc/>
    public Task Invoke(IIncomingGrainCallContext context) =>
        HasFacets(context.TargetId.Type) && context.TargetContext.GetComponent<StateFacets>() is { } facets ? InvokeAndWaitAsync(context, facets) : context.Invoke();

    private static async Task InvokeAndWaitAsync(IIncomingGrainCallContext context, StateFacets facets)
    {
        var before = facets.LastChanges();
        try
        {
            await context.Invoke().ConfigureAwait(true);
        }
        finally
        {
            // An exception is a reply, too. If the state has failed, its error replaces that exception, since the activation is about to end.
            await facets.MayReplyAsync(before).ConfigureAwait(true);
        }
    }

    private bool HasFacets(GrainType type) => _haveFacets.TryGetValue(type, out var known)
        ? known
        : _haveFacets.GetOrAdd(type, Find(type));

    private bool Find(GrainType type) => classes.TryGetGrainClass(type, out var grainClass)
        && grainClass.GetConstructors().SelectMany(constructor => constructor.GetParameters()).Any(parameter => parameter.IsDefined(typeof(StoutStateAttribute)));
}
