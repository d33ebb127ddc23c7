using Orleans.Runtime;

namespace Stout.Orleans.Facet;

/// <summary>The facets of one activation.</summary>
internal sealed class StateFacets
{
    private readonly List<IStateFacet> _facets = [];

    public static void Add(IGrainContext context, IStateFacet facet)
    {
        if (context.GetComponent<StateFacets>() is not { } facets)
            context.SetComponent(facets = new StateFacets());
        facets._facets.Add(facet);
    }

    /// <summary>Completes when a reply of the activation may leave.</summary>
    public ValueTask MayReplyAsync() => _facets.Count == 1 ? _facets[0].MayReplyAsync() : AllMayReplyAsync();

    private async ValueTask AllMayReplyAsync()
    {
        foreach (var facet in _facets)
            await facet.MayReplyAsync().ConfigureAwait(true);
    }
}
